/** Parts of a protocol's name; the group behind it is spelled as the client does. */
const commandProtocol = /^(?:v([234])\.)?(base64\.)?channel\.[a-z0-9.]+$/;
const forwardProtocol = /^portforward\.[a-z0-9.]+$/;

/** The negotiated protocol of exec and attach, of version 1 to 4 of the remote command protocol. */
export interface CommandProtocol {
  /** As the client spells it; empty when it offered none. */
  readonly name: string;
  readonly version: number;
  /** Whether bytes travel as text. */
  readonly isBase64: boolean;
}

/** The newest of the offered protocols of commands; undefined when none of them is known. */
export function chooseCommandProtocol(offered: readonly string[]): CommandProtocol | undefined {
  if (offered.length === 0) return { name: '', version: 1, isBase64: false };
  const known = offered.flatMap((name) => {
    const match = commandProtocol.exec(name);
    return match === null ? [] : [{ name, version: Number(match[1] ?? 1), isBase64: match[2] !== undefined }];
  });
  return known.sort((a, b) => b.version - a.version).at(0);
}

/** The first of the offered protocols of port forwarding; undefined when none of them is known, empty when none was offered. */
export function chooseForwardProtocol(offered: readonly string[]): string | undefined {
  return offered.length === 0 ? '' : offered.find((name) => forwardProtocol.test(name));
}

/** The protocols in a header, which may come more than once. */
export function splitProtocols(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
