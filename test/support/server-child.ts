/** A server as a process of its own, run from the sources: it tells its parent where it is, and what it logs. */
import { startServer } from '../../src/app/index.ts';
import type { LogFields, Logger } from '../../src/base/index.ts';
import { flushKeptLogs, keptLogger } from './kept-logs.ts';

const tell = (message: object): void => void process.send?.(message);
const log = (message: string, { identity }: LogFields = {}): void => tell({ kind: 'log', message, identity });
const told: Logger = { info: log, error: log, debug() {}, child: () => told };
const logger = keptLogger(told);
process.once('exit', flushKeptLogs);

const server = await startServer({ flags: process.argv.slice(2), logger });
const { url, authorityPem, adminCertificatePem: certificatePem, adminKeyPem: keyPem } = server;
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
// A parent that is gone wants no server.
process.once('disconnect', () => process.exit(1));
// Last: it may be asked to end as soon as it has told.
tell({ kind: 'ready', access: { url, authorityPem, certificatePem, keyPem } });
