import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, posix } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { GitRepoVolumeSource } from '../../../../src/apis/types/core-v1.ts';
import { runGit } from '../../../../src/nodeagent/volumes/run-git.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { complaintOf, mountInPod } from './mount-in-pod.ts';

/** Serves the files of a repository at `/site`. */
const createHandler =
  (folder: () => string): RequestListener =>
  async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const found = await readFile(join(folder(), pathname.replace(/^\/site/, ''))).catch(() => {});
    response.writeHead(found === undefined ? 404 : 200).end(found);
  };

describe('gitRepo volumes', () => {
  let directory: TemporaryDirectory;
  /** The repository that the tests change, and where others see it. */
  let repository: string;
  let server: Server;
  let url: string;
  let first: string;
  const git = (...args: string[]): string => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.test', '-c', 'init.defaultBranch=main'];
    return execFileSync('git', [...who, ...args], {
      cwd: repository,
      stdio: 'pipe',
      encoding: 'utf8',
    }).trim();
  };
  const commit = async (text: string): Promise<string> => {
    await writeFile(join(repository, 'page'), text);
    git('add', '.');
    git('commit', '-m', text);
    git('update-server-info');
    return git('rev-parse', 'HEAD');
  };
  /** Any server of files serves a repository. */
  const serve = createHandler(() => join(repository, '.git'));
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    repository = join(directory.path, 'site');
    await mkdir(repository);
    git('init');
    first = await commit('first');
    await commit('second');
    server = createServer(serve).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a socket of the network has one
    url = `http://127.0.0.1:${port}/site`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await directory.remove();
  });

  const mounted = (source: Partial<GitRepoVolumeSource>, fsGroup?: number) =>
    mountInPod({
      rootDirectory: directory.path,
      volume: { name: 'v', gitRepo: { repository: url, ...source } },
      ...(fsGroup !== undefined && { securityContext: { fsGroup } }),
      async onMount() {},
      mounted: () => [],
      fsType: '',
    });
  const complaint = (source: Partial<GitRepoVolumeSource>): Promise<string> => complaintOf(mounted(source));
  const folder = () => join(directory.path, 'pods/u/volumes/orch.io~git-repo/v');
  const page = (...path: string[]): Promise<string> => readFile(join(folder(), ...path, 'page'), 'utf8');

  it('are open folders with a copy of the repository, which containers may change', async () => {
    const volume = (await mounted({})).get('v');
    expect(volume).to.include({ path: folder(), isReadOnly: false, needsSelinuxLabel: true });
    expect((await stat(folder())).mode & 0o7777).to.equal(0o777);
    expect(await page('site')).to.equal('second');
  });

  const places: readonly (readonly [directory: string | undefined, where: string])[] = [
    [undefined, 'site'],
    ['', 'site'],
    ['pages', 'pages'],
    ['.', '.'],
    ['./', '.'],
  ];
  for (const [place, where] of places) {
    it(`have a revision of the repository in ${where} for the directory ${JSON.stringify(place)}`, async () => {
      await mounted({ revision: first, directory: place });
      expect(await page(where)).to.equal('first');
    });
  }

  it('take a directory of several levels, without a revision', async () => {
    await mounted({ directory: 'a/b' });
    expect(await page('a/b')).to.equal('second');
    await rm(folder(), { recursive: true });
    await rm(join(directory.path, 'pods/u/plugins'), { recursive: true });
    expect(await complaint({ directory: 'a/b', revision: first })).to.match(
      /^MountVolume\.SetUp failed for volume "v" : failed to exec 'git checkout \w{40}': fatal: not a git repository .*\n: exit status 128$/,
    );
  });

  it('are filled once', async () => {
    await mounted({});
    await writeFile(join(folder(), 'site/page'), 'changed');
    await mounted({});
    expect(await page('site')).to.equal('changed');
  });

  it('belong to the group of the pod', async () => {
    await mounted({ revision: first }, 3000);
    const { gid, mode } = await stat(join(folder(), 'site/page'));
    expect([gid, mode & 0o660]).to.deep.equal([3000, 0o660]);
  });

  const refusals: readonly (readonly [source: Partial<GitRepoVolumeSource>, what: string])[] = [
    [{ repository: '--upload-pack=id' }, '"--upload-pack=id" is an invalid value for repository'],
    [{ revision: '-q' }, '"-q" is an invalid value for revision'],
    [{ directory: '-' }, '"-" is an invalid value for directory'],
    [{ directory: '../w' }, '"../w" is an invalid value for directory'],
    [{ directory: '/w' }, '"/w" is an invalid value for directory'],
    [{ directory: 'a/.git' }, '"a/.git" is an invalid value for directory'],
  ];
  for (const [source, what] of refusals) {
    it(`are refused with ${JSON.stringify(source)}`, async () =>
      expect(await complaint(source)).to.equal(
        `MountVolume.NewMounter initialization failed for volume "v" : ${what}`,
      ));
  }

  it('tell what git says, and are filled once it works', async () => {
    expect(await complaint({ revision: 'v1' })).to.equal(
      `MountVolume.SetUp failed for volume "v" : failed to exec 'git checkout v1': error: pathspec 'v1' did not match any file(s) known to git\n: exit status 1`,
    );
    git('tag', 'v1', first);
    git('update-server-info');
    await mounted({ revision: 'v1' });
    expect(await page('site')).to.equal('first');
  });

  describe('of somebody hostile', () => {
    it('use no protocol that runs a program', async () => {
      const trap = join(directory.path, 'trap');
      const text = await complaint({ repository: `ext::touch ${trap}` });
      expect(text)
        .to.include(`'git clone -- ext::touch ${trap}': `)
        .and.include("transport 'ext' not allowed");
      expect(await lstat(trap).catch(() => 'none')).to.equal('none');
    });

    it('use no repository of the node, and no account', async () => {
      git('bundle', 'create', join(directory.path, 'all.bundle'), '--all');
      const ways: readonly (readonly [repository: string, transport: string])[] = [
        [repository, 'file'],
        [`file://${repository}`, 'file'],
        [posix.relative(folder(), repository), 'file'],
        [join(directory.path, 'all.bundle'), 'file'],
        ['ssh://git@127.0.0.1/site', 'ssh'],
        ['git@127.0.0.1:site', 'ssh'],
      ];
      for (const [way, transport] of ways) {
        expect(await complaint({ repository: way }), way).to.include(`transport '${transport}' not allowed`);
      }
      server.removeAllListeners('request').on('request', (_request, response) => {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="site"' }).end();
      });
      expect(await complaint({})).to.include('terminal prompts disabled');
    });

    it('run no hook, be it of a template of the machine', async () => {
      const [template, trap] = [join(directory.path, 'template'), join(directory.path, 'trap')];
      await mkdir(join(template, 'hooks'), { recursive: true });
      const hook = join(template, 'hooks/post-checkout');
      await writeFile(hook, `#!/bin/sh\ntouch ${trap}\n`);
      await chmod(hook, 0o755);
      const args = ['-c', `init.templateDir=${template}`, 'clone', '--', url, 'copy'];
      await runGit({ args, folder: directory.path, ceiling: directory.path, environment: {} });
      expect(await readdir(join(directory.path, 'copy/.git/hooks'))).to.deep.equal(['post-checkout']);
      expect(await lstat(trap).catch(() => 'none')).to.equal('none');
    });

    it('tell no passwords', async () => {
      const text = await complaint({ repository: 'http://me:pass:word@127.0.0.1:1/x' });
      expect(text).to.include("'git clone -- http://me:xxxxx@127.0.0.1:1/x'").and.not.include('word');
    });
  });
});

describe('runGit', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());
  const failure = (args: readonly string[], options: Partial<Parameters<typeof runGit>[0]> = {}) =>
    runGit({ args, folder: directory.path, ceiling: directory.path, environment: {}, ...options }).then(
      () => '',
      ({ message }) => message,
    );

  it('takes nothing from the environment of the agent that is about git', async () => {
    const environment = { GIT_DIR: join(directory.path, 'none') };
    expect(await failure(['init'], { environment })).to.equal('');
    expect(await readdir(directory.path)).to.deep.equal(['.git']);
  });

  it('takes no settings of the user of the agent', async () => {
    await mkdir(join(directory.path, 'git'));
    await writeFile(join(directory.path, 'git/config'), 'no settings');
    expect(await failure(['init'], { environment: { XDG_CONFIG_HOME: directory.path } })).to.equal('');
  });

  it('takes no folder above for the repository', async () => {
    expect(await failure(['init'])).to.equal('');
    const folder = join(directory.path, 'a');
    await mkdir(folder);
    expect(await failure(['status'], { folder })).to.include('not a git repository');
  });

  it('says so when the machine has no git', async () => {
    const environment = { PATH: '/nonexistent' };
    expect(await failure(['clone', '--', 'r'], { environment })).to.equal(
      `failed to exec 'git clone -- r': : exec: "git": executable file not found in $PATH`,
    );
  });

  it('ends what takes too long', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo; // a socket of the network has one
    try {
      const args = ['clone', '--', `http://127.0.0.1:${port}/x`];
      expect(await failure(args, { timeoutMs: 500 })).to.match(/: not done after 0\.5 s$/);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });
});
