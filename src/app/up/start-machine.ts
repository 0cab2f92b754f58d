import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, makeDirectory, pause } from '../../base/index.ts';
import { isThere } from '../admin-client.ts';
import { findLaunchers } from '../find-launchers.ts';
import type { ProgramIo } from '../program-io.ts';
import { runTokenCreate } from '../run-token-create.ts';
import { openAdmin, readNodeStatus } from './node-status.ts';
import { SupervisedProgram } from './supervised-program.ts';
import { type UpPaths, writeUpState } from './up-state.ts';

/** What of the command line server and agent are started with. */
export interface MachineStart {
  readonly io: ProgramIo;
  readonly clock: Clock;
  readonly paths: UpPaths;
  readonly nodeName: string;
  readonly securePort: number;
  readonly serverFlags: readonly string[];
  readonly nodeFlags: readonly string[];
  readonly containerRuntimeEndpoint: string;
  readonly timeoutMs: number;
  /** Aborts when the user does not want it any more. */
  readonly signal: AbortSignal;
  /** Shows how far it is. */
  readonly show: (text: string) => void;
  readonly report: (text: string) => void;
}

const pollMs = 200;

/**
 * Starts the server, lets this machine join it and starts the agent. Disposing of the result ends both, the agent first.
 *
 * @throws Error when one of them ends, or the node is not ready in time
 */
export async function startMachine(start: MachineStart): Promise<AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const { paths, nodeName, io } = start;
  await makeDirectory(paths.logs);
  await makeDirectory(paths.manifests);
  const pids: { serverPid: number | undefined; agentPid: number | undefined } = {
    serverPid: undefined,
    agentPid: undefined,
  };
  let isReady = false;
  let written = Promise.resolve();
  // One after the other, so that the last is what stays.
  const note = (): Promise<void> => {
    written = written.then(() => writeUpState(paths, { pid: process.pid, nodeName, ...pids, isReady }));
    return written;
  };
  const supervise = (name: 'serverPid' | 'agentPid', command: readonly string[]): SupervisedProgram => {
    const [program = '', ...args] = command;
    return opening.use(
      new SupervisedProgram({
        name: [program, ...args.slice(0, program === 'orch' ? 1 : 0)].join(' '),
        command: join(findLaunchers(), program),
        args,
        logFile:
          io.isTerminal === true
            ? join(paths.logs, `${name === 'serverPid' ? 'server' : 'node'}.log`)
            : undefined,
        clock: start.clock,
        report: start.report,
        onStart(pid) {
          pids[name] = pid;
          void note();
        },
      }),
    );
  };
  const server = supervise('serverPid', serverCommand(start));
  start.show('starting the server');
  await untilServing(server, start);
  const sinceMs = start.clock.nowMs();
  await writeFile(paths.agentConfig, agentConfig(paths), { mode: 0o600 });
  const hasJoined = await isThere(paths.nodeConfig);
  if (!hasJoined) await makeToken(start);
  const agent = supervise('agentPid', agentCommand(start, hasJoined));
  agent.start();
  await untilReady(agent, start, sinceMs);
  isReady = true;
  await note();
  return opening.move();
}

const serverCommand = ({ paths, securePort, serverFlags }: MachineStart): readonly string[] => [
  'orch',
  'serve',
  `--data-dir=${paths.dataDirectory}`,
  `--secure-port=${securePort}`,
  '--enable-bootstrap-token-auth',
  ...serverFlags,
];

const agentCommand = (start: MachineStart, hasJoined: boolean): readonly string[] => [
  'nodeagent',
  `--config=${start.paths.agentConfig}`,
  `--orchconfig=${start.paths.nodeConfig}`,
  ...(hasJoined ? [] : [`--bootstrap-orchconfig=${start.paths.bootstrapConfig}`]),
  `--hostname-override=${start.nodeName}`,
  '--container-runtime=remote',
  `--container-runtime-endpoint=${start.containerRuntimeEndpoint}`,
  ...start.nodeFlags,
];

const agentConfig = ({
  manifests,
  authority,
}: UpPaths): string => `apiVersion: nodeagent.config.orch.io/v1beta1
kind: NodeAgentConfiguration
staticPodPath: ${JSON.stringify(manifests)}
rotateCertificates: true
readOnlyPort: 0
authentication:
  anonymous: {enabled: false}
  x509: {clientCAFile: ${JSON.stringify(authority)}}
  webhook: {enabled: true}
authorization: {mode: Webhook}
`;

/** How long the token counts with which the machine joins. */
const tokenTtl = '1h';

async function makeToken({ paths, io, nodeName }: MachineStart): Promise<void> {
  const argv = [
    `--orchconfig=${paths.adminConfig}`,
    `--output=${paths.bootstrapConfig}`,
    `--ttl=${tokenTtl}`,
    `--description=orch up on ${nodeName}`,
  ];
  const quiet = { ...io, out: () => {}, isTerminal: false };
  const code = await runTokenCreate(argv, quiet);
  if (code !== 0) throw new Error('no token could be made with which this machine joins');
}

async function untilServing(
  server: SupervisedProgram,
  { signal, clock, timeoutMs }: MachineStart,
): Promise<void> {
  const ready = Promise.withResolvers<void>();
  server.start((line) => {
    if (/^\S+ is ready at https:/.test(line)) ready.resolve();
  });
  const cancel = clock.setTimer(timeoutMs, () => ready.reject(new Error('the server is not ready in time')));
  const onAbort = () => ready.reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  server.onEnd(() => ready.reject(new Error(`the server does not start:\n${server.lastOutput}`)));
  try {
    await ready.promise;
  } finally {
    cancel();
    signal.removeEventListener('abort', onAbort);
    server.onEnd(() => {});
  }
}

async function untilReady(agent: SupervisedProgram, start: MachineStart, sinceMs: number): Promise<void> {
  const { clock, signal, show, timeoutMs, nodeName } = start;
  const client = await openAdmin(start.paths);
  let problem = '';
  agent.onEnd(() => {
    problem = `nodeagent does not run:\n${agent.lastOutput}`;
  });
  try {
    for (;;) {
      const { isReady, reason } = await readNodeStatus(client, nodeName, sinceMs);
      if (isReady) return;
      if (problem !== '') throw new Error(problem);
      if (clock.nowMs() - sinceMs > timeoutMs) {
        throw new Error(`the node ${nodeName} is not ready: ${reason}`);
      }
      show(`starting the node ${nodeName}: ${reason}`);
      await pause(clock, pollMs, signal);
      signal.throwIfAborted();
    }
  } finally {
    agent.onEnd(() => {});
    client.close();
  }
}
