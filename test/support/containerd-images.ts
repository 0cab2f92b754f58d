import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Name of the archive that `makeImages` writes. */
export const imageArchive = 'images.tar';

const run = promisify(execFile);

/** Programs of the image, all of them links to one file. */
const applets = [
  'cat',
  'echo',
  'env',
  'false',
  'head',
  'hostname',
  'httpd',
  'id',
  'kill',
  'ls',
  'mkdir',
  'mount',
  'nc',
  'ps',
  'pwd',
];
const moreApplets = [
  'grep',
  'seq',
  'sh',
  'sleep',
  'stat',
  'tail',
  'tar',
  'test',
  'touch',
  'true',
  'tty',
  'wc',
  'wget',
  'yes',
];

/** Images that `makeImages` puts into an archive. */
export const testImages = {
  busybox: 'localhost/busybox:1',
  pause: 'localhost/pause:3.2',
  /** Used by nothing, so that it can be removed. */
  spare: 'localhost/spare:1',
} as const;

/** Sleeps until it is asked to end; reaps what its pod leaves behind. */
const pauseScript = 'trap "exit 0" TERM INT; while :; do sleep 1000 & wait $!; done';

/**
 * Writes an archive (OCI image layout) of these images into `folder`. They share one layer:
 * `/bin/busybox` with links, empty `/etc`, `/tmp`, `/www`.
 *
 * @param busybox path of a statically linked busybox
 */
export async function makeImages(folder: string, busybox: string): Promise<void> {
  const layout = join(folder, 'layout');
  const blobs = join(layout, 'blobs', 'sha256');
  await mkdir(blobs, { recursive: true });
  const layer = await makeLayer(folder, blobs, busybox);
  const manifests = [
    await makeImage(blobs, layer, testImages.busybox, ['/bin/sh']),
    await makeImage(blobs, layer, testImages.pause, ['/bin/sh', '-c', pauseScript]),
    await makeImage(blobs, layer, testImages.spare, ['/bin/true']),
  ];
  await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  await writeFile(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  await run('tar', ['-cf', join(folder, imageArchive), '-C', layout, '.']);
  await rm(layout, { recursive: true });
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

async function makeLayer(folder: string, blobs: string, busybox: string): Promise<Descriptor> {
  const root = join(folder, 'root');
  await mkdir(join(root, 'bin'), { recursive: true });
  for (const name of ['dev', 'etc', 'proc', 'sys', 'tmp', 'www']) await mkdir(join(root, name));
  await copyFile(busybox, join(root, 'bin', 'busybox'));
  for (const name of [...applets, ...moreApplets]) await symlink('busybox', join(root, 'bin', name));
  const tar = join(folder, 'layer.tar');
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=a+rX'];
  await run('tar', [...owner, '-cf', tar, '-C', root, '.']);
  const descriptor = await addBlob(blobs, 'application/vnd.oci.image.layer.v1.tar', await readFile(tar));
  await rm(tar);
  await rm(root, { recursive: true });
  return descriptor;
}

async function makeImage(
  blobs: string,
  layer: Descriptor,
  name: string,
  command: readonly string[],
): Promise<Descriptor & { readonly annotations: Readonly<Record<string, string>> }> {
  const config = {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Env: ['PATH=/bin', 'FROM_IMAGE=yes'], Cmd: command, WorkingDir: '/' },
    rootfs: { type: 'layers', diff_ids: [layer.digest] },
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: await addJson(blobs, 'application/vnd.oci.image.config.v1+json', config),
    layers: [layer],
  };
  const descriptor = await addJson(blobs, manifest.mediaType, manifest);
  return { ...descriptor, annotations: { 'io.containerd.image.name': name } };
}

async function addJson(blobs: string, mediaType: string, value: unknown): Promise<Descriptor> {
  return await addBlob(blobs, mediaType, Buffer.from(JSON.stringify(value)));
}

async function addBlob(blobs: string, mediaType: string, bytes: Buffer): Promise<Descriptor> {
  const hex = createHash('sha256').update(bytes).digest('hex');
  const file = join(blobs, hex);
  await writeFile(file, bytes);
  return { mediaType, digest: `sha256:${hex}`, size: (await stat(file)).size };
}
