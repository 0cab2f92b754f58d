/** Most bytes that the values of a ConfigMap or Secret may have together: 1 MiB. */
export const maxDataBytes = 1_048_576;

/** Number of bytes that canonical base64 text stands for. */
export function base64Bytes(text: string): number {
  if (text === '') return 0;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}
