import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, makeDirectory } from '../../base/index.ts';

/** What of the command line is about the machine. */
export interface MachineOptions {
  readonly isRoot: boolean;
  readonly containerRuntimeEndpoint: string;
  readonly cniConfDir: string;
  readonly podCidr: string;
  readonly report: (text: string) => void;
  /** Where programs that set up networks of pods may be; by default where packages put them. */
  readonly cniFolders?: readonly string[];
}

const defaultCniFolders = ['/usr/lib/cni', '/opt/cni/bin'];
const install = 'apt-get install containerd runc containernetworking-plugins';

/**
 * Makes sure that pods can run here, and sets up their network where the machine has none.
 *
 * @throws Error that says what is missing, and what to install
 */
export async function prepareMachine(options: MachineOptions): Promise<void> {
  const { isRoot, containerRuntimeEndpoint, cniFolders = defaultCniFolders } = options;
  if (process.platform !== 'linux') throw new Error('orch up runs pods, which needs Linux');
  if (!isRoot) throw new Error('orch up runs pods, which needs root: sudo orch up');
  const socket = /^unix:\/\/(.*)$/.exec(containerRuntimeEndpoint)?.[1];
  if (socket !== undefined && !existsSync(socket)) {
    throw new Error(
      `no container runtime: ${socket} does not exist. Install one (${install}) and start it, or name its socket with --container-runtime-endpoint`,
    );
  }
  if (!cniFolders.some((folder) => existsSync(join(folder, 'bridge')))) {
    throw new Error(
      `no programs for networks of pods in ${cniFolders.join(' or ')}: apt-get install containernetworking-plugins`,
    );
  }
  await provideNetwork(options);
}

/** A bridge for pods, as long as nobody has set up another network. */
async function provideNetwork({ cniConfDir, podCidr, report }: MachineOptions): Promise<void> {
  const names = await listFolder(cniConfDir);
  if (names.some((name) => /\.(conf|conflist|json)$/.test(name))) return;
  const network = {
    cniVersion: '0.4.0',
    name: 'orch',
    plugins: [
      {
        type: 'bridge',
        bridge: 'orch0',
        isGateway: true,
        ipMasq: true,
        hairpinMode: true,
        ipam: { type: 'host-local', ranges: [[{ subnet: podCidr }]], routes: [{ dst: '0.0.0.0/0' }] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
  const file = join(cniConfDir, '10-orch.conflist');
  await makeDirectory(cniConfDir, 0o755);
  await writeFile(file, `${JSON.stringify(network, undefined, 2)}\n`);
  report(`wrote ${file}: pods get addresses of ${podCidr} on the bridge orch0`);
}

async function listFolder(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
