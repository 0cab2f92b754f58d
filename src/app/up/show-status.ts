import { reasonText } from '../../base/index.ts';
import { exitCodes } from '../exit-codes.ts';
import { renderTable } from '../human-table.ts';
import type { ProgramIo } from '../program-io.ts';
import { findLeftovers } from './end-leftovers.ts';
import { openAdmin, readNodeStatus } from './node-status.ts';
import { findUp, type UpPaths, type UpState } from './up-state.ts';

/** As programs that start services say that nothing runs. Source: LSB, "Init Script Actions". */
const notRunning = 3;
/** Reports older than this say nothing of now. */
const reportAgeMs = 5 * 60_000;

/** `orch up --status`. Returns the exit code: 0 when all is well, 3 when nothing runs, else 1. */
export async function showStatus(paths: UpPaths, io: ProgramIo): Promise<number> {
  const state = await findUp(paths);
  if (state === undefined) return showLeftovers(paths, io);
  const node = await readNode(paths, state);
  const rows = [
    ['supervisor', 'running', String(state.pid), paths.folder],
    partRow('server', state.serverPid, paths.dataDirectory),
    partRow('node agent', state.agentPid, paths.manifests),
    [`node ${state.nodeName}`, node.isReady ? 'ready' : 'not ready', '', node.isReady ? '' : node.reason],
  ];
  io.out(await renderTable({ head: ['part', 'state', 'process', ''], rows }, io));
  const isWell = node.isReady && state.serverPid !== undefined && state.agentPid !== undefined;
  return isWell ? exitCodes.success : exitCodes.failure;
}

/** Without its supervisor, what a killed one has left goes on. */
async function showLeftovers(paths: UpPaths, io: ProgramIo): Promise<number> {
  const found = await findLeftovers(paths);
  if (found.length === 0) {
    io.out('nothing runs. Start it with orch up\n');
    return notRunning;
  }
  const parts = found.map(({ name, pid }) => `the ${name} (process ${pid})`).join(' and ');
  io.out(
    `orch up was killed and has left ${parts}. orch up ends that and starts anew, orch down only ends it\n`,
  );
  return exitCodes.failure;
}

const partRow = (name: string, pid: number | undefined, place: string): readonly string[] => [
  name,
  pid === undefined ? 'waits to start again' : 'running',
  pid === undefined ? '' : String(pid),
  place,
];

async function readNode(paths: UpPaths, { nodeName }: UpState) {
  try {
    const client = await openAdmin(paths);
    try {
      return await readNodeStatus(client, nodeName, Date.now() - reportAgeMs);
    } finally {
      client.close();
    }
  } catch (error) {
    return { isReady: false, reason: reasonText(error) };
  }
}
