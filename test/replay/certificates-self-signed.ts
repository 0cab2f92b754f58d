import { join } from 'node:path';
import { type CertificateCase, lookAtFiles, runOpenssl } from './certificate-case.ts';
import { differences } from './matching.ts';

/** A pair that the agent makes for itself. */
interface SelfSigned {
  readonly expect: {
    readonly files: readonly string[];
    readonly modes: Readonly<Record<string, string>>;
    /** As openssl lists a chain. */
    readonly chain: readonly string[];
    readonly sans: string;
    readonly usage: readonly string[];
    readonly algorithm: string;
  };
}

/** Looks at what is in the certificate directory once the agent answers. */
export async function playSelfSigned({ one, rig, containerd }: CertificateCase): Promise<readonly string[]> {
  const { expect } = one.recording as SelfSigned; // cases of this name are such
  const agent = await rig.makeAgent(one.name, ['--hostname-override=gn-self'], { containerd });
  try {
    await agent.start();
    const folder = join(agent.folder, 'pki');
    const { files, modes } = await lookAtFiles(folder, agent.folder);
    const shown = await describe(join(folder, 'nodeagent.crt'));
    return differences(expect, { files, modes, ...shown });
  } finally {
    await rig.stopAgent(agent);
  }
}

async function describe(path: string): Promise<Omit<SelfSigned['expect'], 'files' | 'modes'>> {
  const bundle = await runOpenssl(['crl2pkcs7', '-nocrl', '-certfile', path]);
  const chain = await runOpenssl(['pkcs7', '-print_certs', '-noout'], bundle);
  const text = await runOpenssl(['x509', '-noout', '-text', '-in', path]);
  const find = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  return {
    // Newer releases of openssl write fewer spaces.
    chain: chain.split('\n').map((line) => line.replace(/CN ?= ?/, 'CN = ')),
    sans: find(/Subject Alternative Name:.*\n\s*(.*)/),
    usage: [find(/X509v3 Key Usage:.*\n\s*(.*)/), find(/Extended Key Usage:.*\n\s*(.*)/)],
    algorithm: find(/Public Key Algorithm: (.*)/),
  };
}
