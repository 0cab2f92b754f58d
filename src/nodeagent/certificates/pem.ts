/** The text form of a DER value, with a label such as `CERTIFICATE` (RFC 7468). */
export function toPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** One block of a PEM text. */
export interface PemBlock {
  readonly label: string;
  /** With its first and last line and a line feed. */
  readonly text: string;
}

/** The blocks of a text in their order; what stands between them does not count. */
export function pemBlocks(text: string): readonly PemBlock[] {
  return Array.from(
    text.matchAll(/-----BEGIN ([^-]+)-----[^-]*-----END \1-----/g),
    ([block, label = '']) => ({
      label,
      text: `${block}\n`,
    }),
  );
}
