import { expect } from 'chai';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import {
  createMaintenanceHandlers,
  maintenancePaths,
  type StoreMaintenance,
} from '../../../../src/server/maintenance/index.ts';
import type { Exchange } from '../../../../src/server/request/exchange.ts';
import { StorageError } from '../../../../src/storage/index.ts';
import { makeTemporaryDirectory } from '../../../support/temporary-directory.ts';

/** What handlers read of an exchange before they answer. */
function exchangeOf(method: string, aborter = new AbortController()): Exchange {
  const exchange = { method, query: new URLSearchParams(), signal: aborter.signal };
  return exchange as unknown as Exchange; // these handlers fail before they read more
}

const never: StoreMaintenance = {
  stats: () => Promise.reject(new Error('stats')),
  check: () => Promise.reject(new Error('check')),
  compact: () => Promise.reject(new Error('compact')),
  backupTo: () => Promise.reject(new Error('backup')),
};

async function failureOf(
  path: string,
  method: string,
  part: Partial<StoreMaintenance>,
  aborter?: AbortController,
) {
  await using directory = await makeTemporaryDirectory();
  const handlers = createMaintenanceHandlers({
    maintenance: { ...never, ...part },
    temporaryDirectory: directory.path,
  });
  try {
    await handlers.get(path)?.(exchangeOf(method, aborter));
  } catch (error) {
    if (error instanceof StatusError) return [error.code, error.message];
    throw error;
  }
  throw new Error('nothing failed');
}

describe('createMaintenanceHandlers', () => {
  const failing = (error: unknown) => ({
    backupTo: () => Promise.reject(error),
    check: () => Promise.reject(error),
  });

  it('tells administrators what is wrong with the store', async () => {
    const damaged = failing(new StorageError('corrupt', 'page 7 is torn'));
    const [code, message] = await failureOf(maintenancePaths.backup, 'GET', damaged);
    expect(code).to.equal(500);
    expect(message).to.include('page 7 is torn');
  });

  it('answers a full disk with 507', async () => {
    for (const error of [
      new StorageError('disk-full', 'full'),
      Object.assign(new Error('no space left'), { code: 'ENOSPC' }),
    ]) {
      const [code] = await failureOf(maintenancePaths.backup, 'GET', failing(error));
      expect(code).to.equal(507);
    }
  });

  it('answers an interruption with 503', async () => {
    const aborter = new AbortController();
    const interrupted = {
      async check() {
        aborter.abort();
        throw aborter.signal.reason;
      },
    };
    expect(await failureOf(maintenancePaths.check, 'POST', interrupted, aborter)).to.deep.equal([
      503,
      'the check was interrupted',
    ]);
  });

  it('refuses other methods', async () => {
    for (const [path, method] of [
      [maintenancePaths.stats, 'POST'],
      [maintenancePaths.check, 'GET'],
      [maintenancePaths.compact, 'DELETE'],
      [maintenancePaths.backup, 'HEAD'],
    ] as const) {
      expect((await failureOf(path, method, {}))[0], path).to.equal(405);
    }
  });

  it('lets the next one begin when one failed', async () => {
    await using directory = await makeTemporaryDirectory();
    const handlers = createMaintenanceHandlers({ maintenance: never, temporaryDirectory: directory.path });
    const backup = handlers.get(maintenancePaths.backup);
    const texts: string[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      await backup?.(exchangeOf('GET')).catch((error: Error) => texts.push(error.message));
    }
    expect(texts).to.deep.equal(['backup', 'backup']);
  });
});
