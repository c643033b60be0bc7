"""Prints the text of a file for the ingestion benchmark, read with Python's standard library.

Usage: read-text.py html|odf|eml|csv|json|text <file> [<encoding>]
"""

import codecs
import csv
import json
import re
import sys
from email import message_from_bytes, policy
from html.parser import HTMLParser
from xml.etree import ElementTree

INLINE = set("a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup tt u var wbr".split())
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
INLINE |= set("math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtext munder munderover semantics".split())
UNSEEN = {"script", "style", "template", "noscript", "annotation", "iframe", "canvas", "audio", "video"}


class TextOfHtml(HTMLParser):
    """Collects the text between tags. Pandoc's references to footnotes are left out: they would join the word before them."""

    def __init__(self):
        super().__init__()
        self.parts = []
        self.unseen = None
        self.in_reference = False

    def handle_starttag(self, tag, attrs):
        if tag in UNSEEN and not self.unseen:
            self.unseen = tag
        if tag == "a" and dict(attrs).get("class") in ("footnote-ref", "footnote-back"):
            self.in_reference = True
        if tag not in INLINE:
            self.parts.append("\n")

    def handle_endtag(self, tag):
        if tag == self.unseen:
            self.unseen = None
        if tag == "a":
            self.in_reference = False
        if tag not in INLINE:
            self.parts.append("\n")

    def handle_data(self, data):
        if not self.unseen and not self.in_reference:
            self.parts.append(data)


def read_html(html):
    parser = TextOfHtml()
    parser.feed(html)
    parser.close()
    return "".join(parser.parts)


def read_odf(xml):
    """Reads the paragraphs of a flat OpenDocument file, without those of its master pages."""
    body = ElementTree.fromstring(xml).find(OFFICE + "body")
    return "\n".join(read_paragraph(one) for one in body.iter() if one.tag in (TEXT + "p", TEXT + "h"))


def read_paragraph(element):
    gap = " " if element.tag in (TEXT + "s", TEXT + "tab", TEXT + "line-break") else ""
    inner = [gap, element.text or ""]
    for child in element:
        if child.tag.startswith(TEXT):
            inner.append(read_paragraph(child))
        inner.append(child.tail or "")
    return "".join(inner)


def decode(data, encoding=None):
    """Decodes text by the given encoding, its byte order mark, or the one that it declares. Fails if it is in none, and not UTF-8."""
    if encoding:
        return data.decode(encoding, "replace")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16")
    declared = re.search(rb"""^\s*<[^\0]*?(?:charset|encoding)\s*=\s*["']?([\w-]+)""", data[:1024])
    return data.decode(declared[1].decode() if declared else "utf-8-sig")


def read_part(part):
    """Reads what a mail program shows of a part: the last alternative, no attachments."""
    if part.get_content_disposition() == "attachment":
        return ""
    kind = part.get_content_type()
    if kind == "message/rfc822":
        return "\n".join(read_message(message) for message in part.get_payload())
    if part.is_multipart():
        texts = [text for text in map(read_part, part.iter_parts()) if text.strip()]
        return "\n".join(texts[-1:] if kind == "multipart/alternative" else texts)
    if kind == "text/html":
        return read_html(part.get_content())
    return part.get_content() if kind == "text/plain" else ""


def read_message(message):
    head = [str(message[name]) for name in ("subject", "from", "to", "cc") if message[name]]
    return "\n".join([*head, read_part(message)])


def list_values(value):
    if isinstance(value, dict):
        return [text for key, one in value.items() for text in (key, *list_values(one))]
    if isinstance(value, list):
        return [text for one in value for text in list_values(one)]
    return [] if value is None else [str(value)]


def read_csv(text):
    try:
        dialect = csv.Sniffer().sniff(text[:10000], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    return "\n".join(cell for row in csv.reader(text.splitlines(keepends=True), dialect) for cell in row)


def main(kind, file, encoding=None):
    data = (sys.stdin.buffer if file == "-" else open(file, "rb")).read()
    if kind == "eml":
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            data = decode(data).encode()
        text = read_message(message_from_bytes(data, policy=policy.default))
    elif kind == "odf":
        text = read_odf(data)
    elif kind == "html" or file.endswith(".html"):
        text = read_html(decode(data, encoding))
    elif kind == "csv":
        text = read_csv(decode(data, encoding))
    elif kind == "json":
        text = "\n".join(list_values(json.loads(decode(data, encoding), parse_int=str, parse_float=str)))
    else:
        text = decode(data, encoding)
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))


main(*sys.argv[1:])
