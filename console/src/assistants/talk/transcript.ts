/** Something that was said in a call, as far as it is known. */
export interface Segment {
  id: string;
  by: 'you' | 'assistant';
  text: string;
}

/** Adds what was heard to a transcript: in the place of an earlier version, or at the end. Leaves out what is empty. */
export function addSegment(transcript: readonly Segment[], heard: Segment): Segment[] {
  const others = transcript.filter(({ id }) => id !== heard.id);
  if (heard.text.trim() === '') return others;
  return others.length < transcript.length
    ? transcript.map((segment) => (segment.id === heard.id ? heard : segment))
    : [...transcript, heard];
}
