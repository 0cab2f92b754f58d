import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testImages } from './containerd-images.ts';

export interface ContainerdConfigOptions {
  /** Folder for everything that this instance keeps. */
  readonly folder: string;
  readonly socket: string;
  /** Name of the bridge that pods are connected to, at most 15 characters. */
  readonly bridge: string;
  /** Of the pods' addresses, such as `10.201.16.0/20`. */
  readonly subnet: string;
}

/** Writes the configuration of an instance and of its network; resolves with the configuration's path. */
export async function writeContainerdConfig(options: ContainerdConfigOptions): Promise<string> {
  const { folder } = options;
  const networks = join(folder, 'net.d');
  await mkdir(networks, { recursive: true });
  await writeFile(join(networks, '10-test.conflist'), JSON.stringify(networkConfig(options)));
  const path = join(folder, 'config.toml');
  await writeFile(path, containerdConfig(options, networks));
  return path;
}

/** The network of pods, by the plugins of the container network interface. */
export function networkConfig({
  folder,
  bridge,
  subnet,
}: Pick<ContainerdConfigOptions, 'folder' | 'bridge' | 'subnet'>): unknown {
  const ipam = {
    type: 'host-local',
    ranges: [[{ subnet }]],
    routes: [{ dst: '0.0.0.0/0' }],
    dataDir: join(folder, 'ipam'),
  };
  return {
    cniVersion: '0.4.0',
    name: bridge,
    plugins: [
      { type: 'bridge', bridge, isGateway: true, ipMasq: false, ipam },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}

function containerdConfig({ folder, socket }: ContainerdConfigOptions, networks: string): string {
  const at = (name: string): string => JSON.stringify(join(folder, name));
  return `version = 2
root = ${at('root')}
state = ${at('state')}
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs", "io.containerd.internal.v1.opt"]

[grpc]
address = ${JSON.stringify(socket)}

[plugins."io.containerd.grpc.v1.cri"]
restrict_oom_score_adj = true
sandbox_image = "${testImages.pause}"
netns_mounts_under_state_dir = true
stream_server_address = "127.0.0.1"
stream_server_port = "0"

[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = ${JSON.stringify(networks)}

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
Root = ${at('runc')}
`;
}
