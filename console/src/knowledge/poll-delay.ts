const second = 1000;

/** Milliseconds until a document that is being read is asked for again, by how long ago it came: most take a second or two. */
export function pollDelay(age: number): number {
  if (age < 20 * second) return second;
  return age < 120 * second ? 3 * second : 15 * second;
}
