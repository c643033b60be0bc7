import { listVariables, TemplateError } from '../../../shared/domain/tools/template.ts';
import { isSecretName } from './secrets.ts';
import type { Field } from './source.ts';

/** Syntax of a vendor's templates. */
export interface TemplateSyntax {
  /** True if the vendor's templates are Liquid. Otherwise they have only tags, such as `{{name}}`. */
  isLiquid?: boolean;
  /** Translates a name, or what a tag holds, that the vendor fills in itself. */
  findOwnTag(name: string): string | undefined;
  /** Returns the time zone that a name holds, if it does. */
  findTimeZone?(name: string): string | undefined;
  /** Splits what a tag holds into a name and the text to use without a value. */
  splitFallback?(inside: string): { name: string; fallback: string | undefined };
}

const tag = /\{\{([^{}]*)\}\}/g;
const maxVariables = 100;
const maxDefaultCharacters = 2_000;

/** Names that templates of this service fill in themselves. */
const ownNames = ['now', 'date', 'time', 'weekday', 'year', 'call', 'assistant'];

/** True if a text may be a template. */
export const hasTags = (text: string): boolean => /\{\{[^{}]*\}\}|\{%/.test(text);

/** Makes a text survive as a template what it is: its braces stay braces. */
const escapeBraces = (text: string): string => text.replace(/\{(?:[{%]|$)/g, (braces) => `{{ "${braces}" }}`);

const quote = (text: string): string | undefined => {
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? undefined : `'${text}'`;
};

/** Translates the templates of one agent, and collects their variables. */
export class Templates {
  readonly variables = new Map<string, { default: string | null }>();
  /** Time zone that the first tag with one names. */
  timeZone: string | undefined;
  readonly #syntax: TemplateSyntax;
  readonly #names = new Map<string, string>();

  constructor(syntax: TemplateSyntax) {
    this.#syntax = syntax;
  }

  /** Declares a variable with the value that calls use by default. */
  addDefault(name: string, field: Field): void {
    const value = field.scalar();
    if (value === undefined) return;
    const text = String(value);
    if (isSecretName(name) || text.includes('****')) {
      field.withhold('A default value that may be a key is not imported: send it with each call');
      return;
    }
    const ours = this.#declare(name, field);
    const variable = ours === undefined ? undefined : this.variables.get(ours);
    if (!variable) field.lose('Assistants have at most 100 variables');
    else if ([...text].length > maxDefaultCharacters) field.lose('A default value has at most 2,000 characters');
    else variable.default = text;
  }

  /** Returns this service's name of a variable. Undefined if it can have none. */
  #declare(name: string, field: Field): string | undefined {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (this.variables.size >= maxVariables) return undefined;
    const plain = name
      .replace(/[^A-Za-z0-9_]+/g, '_')
      .replace(/^(?=\d)/, '_')
      .slice(0, 60);
    if (/^_*$/.test(plain)) return undefined;
    const wanted =
      ownNames.includes(plain) || ['constructor', 'prototype', '__proto__'].includes(plain) ? `${plain}_value` : plain;
    let ours = wanted;
    for (let i = 2; this.variables.has(ours); i++) ours = `${wanted}_${i}`;
    this.#names.set(name, ours);
    this.variables.set(ours, { default: null });
    if (ours !== name) field.change(`The variable ${shorten(name)} is named ${ours}`);
    return ours;
  }

  /** Translates a text. The field is the one that warnings name. */
  async convert(text: string, field: Field): Promise<string> {
    if (this.#syntax.isLiquid) return this.#convertLiquid(text, field);
    let converted = '';
    let end = 0;
    for (const match of text.matchAll(tag)) {
      const [all, inside = ''] = match;
      converted +=
        escapeBraces(text.slice(end, match.index)) + (this.#convertTag(inside.trim(), field) ?? escapeBraces(all));
      end = match.index + all.length;
    }
    return converted + escapeBraces(text.slice(end));
  }

  #convertTag(inside: string, field: Field): string | undefined {
    const { name, fallback } = this.#syntax.splitFallback?.(inside) ?? { name: inside, fallback: undefined };
    const builtIn = this.#syntax.findOwnTag(name);
    if (builtIn !== undefined) {
      this.timeZone ??= this.#syntax.findTimeZone?.(name);
      field.change(`{{${shorten(name)}}} is now ${builtIn}`);
      return builtIn;
    }
    const ours = this.#declare(name, field);
    if (ours === undefined) {
      field.change(`{{${shorten(name)}}} stays as it is, because it cannot be a variable`);
      return undefined;
    }
    const usual = fallback === undefined ? undefined : quote(fallback);
    if (fallback !== undefined && usual === undefined)
      field.change(`{{${shorten(name)}}} has no text for calls without a value`);
    return usual === undefined ? `{{ ${ours} }}` : `{{ ${ours} | default: ${usual} }}`;
  }

  async #convertLiquid(text: string, field: Field): Promise<string> {
    try {
      let converted = text;
      const notes: string[] = [];
      for (const name of await listVariables(text)) {
        const builtIn = this.#syntax.findOwnTag(name);
        const ours = builtIn ?? this.#declare(name, field);
        if (ours === undefined || ours === name) continue;
        converted = renameInTags(converted, name, ours);
        if (builtIn !== undefined) notes.push(`{{${shorten(name)}}} is now {{ ${builtIn} }}`);
      }
      await listVariables(converted);
      for (const note of notes) field.change(note);
      return converted;
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      field.change(`It cannot be read as Liquid (${error.message}), so that all of its braces stay as they are`);
      return escapeBraces(text);
    }
  }
}

const shorten = (name: string): string => (name.length > 64 ? `${name.slice(0, 64)}…` : name);

/** Replaces a name in the tags of a Liquid template, but not in their quotes. */
function renameInTags(text: string, name: string, ours: string): string {
  const pattern = new RegExp(`(?<![\\w.-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g');
  return text.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, (one) =>
    one.replace(/"[^"]*"|'[^']*'|[^"']+/g, (part) => (/^["']/.test(part) ? part : part.replace(pattern, () => ours))),
  );
}
