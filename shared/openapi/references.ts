/** Returns a reference to a component of the document. */
export const toRef = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

export const toHeaderRefs = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, toRef('headers', name)]));
