import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentProcess } from './agent-process.ts';
import type { ApiServer } from './api-server.ts';
import { callApi } from './call-api.ts';
import {
  type CertificateCase,
  comparableRequest,
  lookAtFiles,
  startSigningServer,
  waitForRequest,
  writeAdminConfig,
} from './certificate-case.ts';
import { differences } from './matching.ts';

/** The first client certificate of an agent. */
interface Bootstrap {
  readonly expect: {
    readonly request: unknown;
    readonly nodeBeforeApproval: number;
    readonly clientConfigBeforeApproval: boolean;
    /** 0: nobody listens. */
    readonly healthzBeforeApproval: number;
    readonly nodeAfterApproval: number;
    readonly clientConfig: string;
    readonly files: readonly string[];
    readonly links: Readonly<Record<string, string>>;
    readonly modes: Readonly<Record<string, string>>;
    readonly clientConfigMode: string;
    readonly requestsAfterRestart: number;
  };
}

const nodePath = '/api/v1/nodes/gn-boot';
const restartedMs = 3000;

/** Approves and signs the agent's request, and looks at what it does before, after, and when it is started again. */
export async function playBootstrap(certificateCase: CertificateCase): Promise<readonly string[]> {
  const { one, rig, containerd } = certificateCase;
  const { expect } = one.recording as Bootstrap; // cases of this name are such
  const { server, signer } = await startSigningServer(certificateCase);
  const folder = await rig.folder('agents', one.name);
  const configPath = join(folder, 'orchconfig');
  const bootstrapPath = join(folder, 'bootstrap');
  await writeAdminConfig(server, bootstrapPath);
  const agent = await rig.makeAgent(
    one.name,
    [`--orchconfig=${configPath}`, `--bootstrap-orchconfig=${bootstrapPath}`, '--hostname-override=gn-boot'],
    { containerd, folder },
  );
  try {
    await agent.launch();
    const request = await waitForRequest(signer);
    const before = {
      nodeBeforeApproval: await nodeStatus(server),
      clientConfigBeforeApproval: existsSync(configPath),
      healthzBeforeApproval: await healthzStatus(agent),
    };
    await signer.approve(request);
    await signer.sign(request);
    await agent.waitUntil('there is no node', async () => (await nodeStatus(server)) === 200);
    // It serves with files of its own.
    await agent.waitUntil('it does not answer', async () => (await healthzStatus(agent)) === 200);
    const clientConfig = await readFile(configPath, 'utf8');
    const after = {
      nodeAfterApproval: await nodeStatus(server),
      clientConfig: clientConfig.replaceAll(folder, '{tmp}').replaceAll(server.url, '{api}'),
      ...(await lookAtFiles(join(folder, 'pki'), folder)),
      clientConfigMode: `0o${((await lstat(configPath)).mode & 0o777).toString(8)}`,
    };
    const known = (await signer.list()).length;
    await agent.stop();
    await agent.start();
    await delay(restartedMs);
    const requestsAfterRestart = (await signer.list()).length - known;
    const shown = { request: await comparableRequest(request), ...before, ...after, requestsAfterRestart };
    return differences(expect, shown);
  } finally {
    await rig.stopAgent(agent);
    await server.stop();
  }
}

async function nodeStatus(server: ApiServer): Promise<number> {
  return (await callApi(server, { method: 'GET', path: nodePath })).status;
}

function healthzStatus(agent: AgentProcess): Promise<number> {
  return fetch(`http://127.0.0.1:${agent.ports.healthz}/healthz`).then(
    ({ status }) => status,
    () => 0,
  );
}
