import { join } from 'node:path';
import {
  type CertificateCase,
  comparableRequest,
  lookAtFiles,
  startSigningServer,
  waitForRequest,
  writeAdminConfig,
} from './certificate-case.ts';
import { differences } from './matching.ts';

/** A serving certificate that the API gives. */
interface Serving {
  readonly expect: {
    readonly request: unknown;
    /** What the client said about a handshake without a certificate. */
    readonly tlsBefore: string;
    readonly tlsAfter: number;
    readonly files: readonly string[];
  };
}

/** Approves and signs the agent's request, and looks at its port before and after. */
export async function playServing(certificateCase: CertificateCase): Promise<readonly string[]> {
  const { one, rig, containerd } = certificateCase;
  const { expect } = one.recording as Serving; // cases of this name are such
  const { server, signer } = await startSigningServer(certificateCase);
  const configPath = join(await rig.folder('agents', one.name), 'orchconfig');
  await writeAdminConfig(server, configPath);
  const agent = await rig.makeAgent(
    one.name,
    [`--orchconfig=${configPath}`, '--hostname-override=gn-serve', '--rotate-server-certificates=true'],
    { containerd },
  );
  try {
    await agent.start();
    const request = await waitForRequest(signer);
    const tlsBefore = await agent.get('/healthz').then(
      ({ status }) => String(status),
      (error: unknown) => String(error),
    );
    await signer.approve(request);
    await signer.sign(request);
    await agent.waitUntil('it does not serve with the certificate', async () => {
      return (await agent.get('/healthz')).status === expect.tlsAfter;
    });
    const { files } = await lookAtFiles(join(agent.folder, 'pki'), agent.folder);
    return [
      ...differences(expect.request, await comparableRequest(request), [], '/request'),
      ...differences(alertOf(expect.tlsBefore), alertOf(tlsBefore), [], '/tlsBefore'),
      ...differences(expect.files, files, [], '/files'),
    ];
  } finally {
    await rig.stopAgent(agent);
    await server.stop();
  }
}

/** Clients word what they were told differently. */
const alertOf = (text: string): string => /alert internal error/.exec(text)?.[0] ?? text;
