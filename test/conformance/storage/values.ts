/** JSON of a small object as `registry` writes it: canonical order, no revision yet. */
export function makeValue(name: string, content: unknown = {}): Buffer {
  return Buffer.from(
    JSON.stringify({
      kind: 'Thing',
      apiVersion: 'v1',
      metadata: { name, resourceVersion: '' },
      spec: content,
    }),
  );
}

/** The parts of a stored object that tests look at. */
export function readValue(bytes: Buffer): { readonly resourceVersion: string; readonly content: unknown } {
  // Tests only store what `makeValue` makes.
  const value = JSON.parse(bytes.toString()) as { metadata: { resourceVersion: string }; spec: unknown };
  return { resourceVersion: value.metadata.resourceVersion, content: value.spec };
}
