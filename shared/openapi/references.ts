/** References within the document. */
export const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

export const headerRefs = (names: string[]) => Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
