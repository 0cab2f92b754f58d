import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, startServer } from '../../../../src/app/index.ts';
import { saveClientConfig } from '../../../../src/client/config/index.ts';
import { keptLogger, registerPrivateKeys } from '../../../support/kept-logs.ts';
import { type RunResult, run } from '../../../unit/ctl/support/run.ts';

/** A server, a folder for files, and `ctl` with a configuration for it. */
export interface CtlServer {
  readonly server: EmbeddedServer;
  readonly folder: string;
  /** Runs a command; its temporary files go to a folder of their own. */
  ctl(argv: readonly string[], setting?: CtlSetting): Promise<RunResult>;
  /** Names of what commands left in that folder. */
  leftovers(): readonly string[];
  stop(): Promise<void>;
}

/** What a command sees beside its arguments. */
export interface CtlSetting {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Interrupts the command. */
  readonly signal?: AbortSignal;
  /** Sees what is printed as soon as it is. */
  readonly onPrint?: (text: string) => void;
}

/** Controllers of objects that stay as tests write them: none that fills in the status of workloads. */
export const quietControllers =
  '--controllers=namespace,garbagecollector,serviceaccount,serviceaccount-token,root-ca-cert-publisher';

/** Starts a server, with flags of `orch serve`, and writes the configuration of a client for it. */
export async function startCtlServer(flags: readonly string[] = [quietControllers]): Promise<CtlServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ctl-server-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const server = await startServer({ flags, logger: keptLogger() });
  registerPrivateKeys(server.adminKeyPem);
  const config = join(folder, 'config');
  await saveClientConfig(config, server.clientConfig);
  return {
    server,
    folder,
    ctl: (argv, { env, ...setting } = {}) =>
      run(argv, {
        env: { ORCHCONFIG: config, TMPDIR: temporary, ...env },
        home: folder,
        ...setting,
      }),
    leftovers: () => readdirSync(temporary),
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
