import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../../base/index.ts';
import type { RunProgram } from '../../host/index.ts';

/** How iptables is run, and where the kernel settings of bridges are. */
export interface BridgeRulesOptions {
  readonly run: RunProgram;
  readonly settingsRoot: string;
  readonly logger: Logger;
}

const setting = 'net/bridge/bridge-nf-call-iptables';

/** Makes packets that cross bridges pass `iptables`, as service proxies need it. Never rejects: pods work without. */
export async function allowBridgeRules({ run, settingsRoot, logger }: BridgeRulesOptions): Promise<void> {
  await run('modprobe', ['br-netfilter']); // Fails where it is built into the kernel.
  await writeFile(join(settingsRoot, setting), '1').catch((error: unknown) =>
    logger.info('bridge-nf-call-iptables update failed: bridged packets bypass iptables', {
      setting,
      error: String(error),
    }),
  );
}
