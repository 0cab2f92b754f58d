import { open } from 'node:fs/promises';
import type { RestClient } from '../client/rest/index.ts';
import {
  type BackupOptions,
  type CheckReport,
  type CompactReport,
  maintenancePaths,
  type StatsReport,
  type StoreMaintenance,
} from '../server/maintenance/index.ts';

/** Care of the store of a running server, over its API. @throws StatusError, TransportError from each call. */
export function remoteMaintenance(client: RestClient): StoreMaintenance {
  return {
    stats: () => client.json<StatsReport>({ method: 'GET', path: maintenancePaths.stats }),
    check: ({ isQuick = false, signal } = {}) =>
      client.json<CheckReport>({
        method: 'POST',
        path: maintenancePaths.check,
        query: { quick: isQuick ? 'true' : undefined },
        signal,
      }),
    compact: () => client.json<CompactReport>({ method: 'POST', path: maintenancePaths.compact }),
    backupTo: (path, options) => download(client, path, options),
  };
}

/** The file is complete and on the disk when this resolves. */
async function download(client: RestClient, path: string, options: BackupOptions = {}): Promise<void> {
  const { signal, onProgress } = options;
  const answer = await client.stream({ method: 'GET', path: maintenancePaths.backup, accept: '*/*', signal });
  try {
    const length = Number(answer.headers['content-length']);
    const totalBytes = Number.isFinite(length) ? length : undefined;
    await using file = await open(path, 'wx', 0o600);
    let doneBytes = 0;
    for await (const chunk of answer.chunks) {
      await file.appendFile(chunk);
      doneBytes += chunk.length;
      onProgress?.({ doneBytes, totalBytes });
    }
    if (totalBytes !== undefined && doneBytes !== totalBytes) {
      throw new Error(`the server sent ${doneBytes} of ${totalBytes} bytes`);
    }
    await file.sync();
  } finally {
    answer.close();
  }
}
