/** How sealed values begin, so that servers of release 1.20 know them; the same in both dialects. */
export const sealPrefix: Buffer = Buffer.concat([Buffer.from([0x6b, 0x38, 0x73]), Buffer.from(':enc:')]);

const head = Buffer.from('{"metadata":{"resourceVersion":"');
const middle = '"},"sealed":"';
const tail = '"}';

/**
 * A sealed value in the form that all drivers keep: JSON that can be stamped. Nobody's object begins like this. etcd has
 * the sealed bytes alone.
 */
export function wrapSealed(sealed: Buffer, revision: number | '' = ''): Buffer {
  return Buffer.from(`${head}${revision}${middle}${sealed.toString('base64')}${tail}`);
}

/** The sealed bytes of a wrapped value; undefined for any other value. */
export function unwrapSealed(value: Buffer): Buffer | undefined {
  if (value[2] !== head[2] || value.compare(head, 0, head.length, 0, head.length) !== 0) return undefined;
  const at = value.indexOf(middle, head.length, 'latin1');
  // Longer than any revision: these are an object's own fields.
  if (at < 0 || at > head.length + 20) return undefined;
  return Buffer.from(value.toString('latin1', at + middle.length, value.length - tail.length), 'base64');
}

/** Whether a value, as drivers give it, is sealed. */
export const isSealedValue = (value: Buffer): boolean => unwrapSealed(value) !== undefined;

/** Whether bytes of etcd are a sealed value. */
export const isSealed = (bytes: Buffer): boolean =>
  bytes[0] === sealPrefix[0] && bytes.compare(sealPrefix, 0, sealPrefix.length, 0, sealPrefix.length) === 0;
