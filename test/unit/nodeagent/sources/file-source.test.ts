import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { systemClock } from '../../../../src/base/index.ts';
import {
  type ManifestDecoder,
  type PodSource,
  startFileSource,
} from '../../../../src/nodeagent/sources/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { createRecordingLogger, type RecordingLogger } from '../../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { RecordedEvents } from '../images/fake-images.ts';
import { manifest, namesOf, nodeDecoder } from './manifests.ts';
import { RecordedPods } from './recorded-pods.ts';

/** Longer than any test: what is seen sooner was announced by the system. */
const neverMs = 3_600_000;

describe('startFileSource', () => {
  let decoder: ManifestDecoder;
  let directory: TemporaryDirectory;
  let pods: RecordedPods;
  let logger: RecordingLogger;
  let source: PodSource | undefined;
  const events = new RecordedEvents();
  before(async () => {
    decoder = await nodeDecoder();
  });
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    pods = new RecordedPods();
    logger = createRecordingLogger();
  });
  afterEach(async () => {
    await source?.[Symbol.asyncDispose]();
    source = undefined;
    await directory.remove();
  });

  const at = (...names: string[]): string => join(directory.path, ...names);
  const put = (name: string, text: string): Promise<void> => writeFile(at(name), text);
  /** At once: nobody reads a part of it. */
  const putWhole = async (name: string, text: string): Promise<void> => {
    await put(`.${name}`, text);
    await rename(at(`.${name}`), at(name));
  };
  const start = async (path = directory.path, frequencyMs = neverMs): Promise<void> => {
    const { onPods } = pods;
    source = startFileSource({ path, frequencyMs, decoder, onPods, events, clock: systemClock, logger });
    await source.whenRead;
  };
  const complaints = (): string[] =>
    logger.lines.map(
      ({ message, fields }) => `${String(fields.path).slice(directory.path.length + 1)}: ${message}`,
    );

  it('hands over the pods of all files but those with a leading dot', async () => {
    await put('b.yaml', manifest('b'));
    await put('some file.txt', manifest('a'));
    await put('.hidden.yaml', manifest('hidden'));
    await mkdir(at('folder'));
    await start();
    expect(namesOf(pods.last)).to.deep.equal(['a-node1', 'b-node1']);
    expect(pods.sets).to.have.length(1);
    expect(complaints()).to.deep.equal(['folder: not recursing into manifest path']);
  });

  it('hands over an empty set of an empty directory', async () => {
    await start();
    expect(pods.sets).to.deep.equal([[]]);
  });

  it('sees files come, change and go, and leaves the pods of the others as they are', async () => {
    await put('a.yaml', manifest('a'));
    await start();
    const [a] = pods.last;
    await put('b.yaml', manifest('b'));
    await pods.until('a-node1', 'b-node1');
    await put('draft', manifest('c'));
    await rename(at('draft'), at('b.yaml'));
    await pods.until('a-node1', 'c-node1');
    await rm(at('b.yaml'));
    await pods.until('a-node1');
    expect(pods.last[0]).to.equal(a);
  });

  it('reports a broken file with its name, and takes its pod away only', async () => {
    await put('a.yaml', manifest('a'));
    await put('b.yaml', manifest('b'));
    await start();
    await put('b.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: [\n');
    await pods.until('a-node1');
    await put('c.yaml', 'apiVersion: v1\nkind: Pod\nmetadata: {name: c}\nspec: {containers: []}\n');
    const [broken, invalid] = await eventually(async () =>
      logger.lines.length === 2
        ? logger.lines.map(({ fields, message }) => ({ ...fields, message }))
        : undefined,
    );
    expect(broken).to.have.property('path', at('b.yaml'));
    expect(broken?.message).to.match(
      /^can't process manifest file: .*b\.yaml: couldn't parse as pod\(yaml: /,
    );
    expect(invalid).to.have.property('path', at('c.yaml'));
    expect(invalid?.message).to.equal(
      "can't process manifest file: invalid pod: [spec.containers: Required value]",
    );
  });

  it('complains of the same thing once, and of another one again', async () => {
    await put('a.yaml', 'a: [');
    await start(directory.path, 20);
    await putWhole('b.yaml', manifest('b'));
    await pods.until('b-node1');
    await putWhole('c.yaml', manifest('c'));
    await pods.until('b-node1', 'c-node1');
    expect(logger.lines).to.have.length(1);
    await putWhole('a.yaml', 'kind: Podd\napiVersion: v1\n');
    await eventually(async () => (logger.lines.length === 2 ? true : undefined));
  });

  it('keeps the time at which a pod was first seen', async () => {
    const text = manifest('a').replace('{name: a}', '{name: a, uid: fixed, labels: {v: "1"}}');
    await put('a.yaml', text);
    await start();
    const before = pods.last[0];
    await put('a.yaml', text.replace('"1"', '"2"'));
    const after = await eventually(async () => pods.last.find(({ metadata }) => metadata.labels?.v === '2'));
    expect(after.metadata.annotations).to.deep.equal(before?.metadata.annotations);
  });

  it('does not hand over again what was only written again', async () => {
    await put('a.yaml', manifest('a'));
    await start();
    await put('a.yaml', `${manifest('a')}\n# a remark\n`);
    await put('b.yaml', manifest('b'));
    await pods.until('a-node1', 'b-node1');
    await source?.[Symbol.asyncDispose]();
    expect(new Set(pods.sets.map(([a]) => a)).size).to.equal(1);
  });

  it('takes the first of two files with one pod', async () => {
    await put('a.yaml', manifest('p').replace('name: c,', 'name: first,'));
    await put('b.yaml', manifest('p'));
    await start();
    expect(pods.last.map(({ spec }) => spec.containers?.[0]?.name)).to.deep.equal(['first']);
    expect(logger.lines.map(({ fields }) => fields.pod)).to.deep.equal(['default/p-node1']);
  });

  it('follows one file, and its replacements', async () => {
    await start(at('one.yaml'));
    expect(pods.sets).to.deep.equal([[]]);
    await put('other.yaml', manifest('other'));
    await put('one.yaml', manifest('a'));
    await pods.until('a-node1');
    await put('new', manifest('b'));
    await rename(at('new'), at('one.yaml'));
    await pods.until('b-node1');
    await rm(at('one.yaml'));
    await pods.until();
  });

  it('follows a directory that is made later, removed and made again', async () => {
    await start(at('later'), 50);
    for (const name of ['a', 'b']) {
      await mkdir(at('later'));
      await put('later/p.yaml', manifest(name));
      await pods.until(`${name}-node1`);
      await rm(at('later'), { recursive: true });
      await pods.until();
    }
  });

  it('waits for a file that is being written', async () => {
    const clock = new ManualClock();
    const { onPods } = pods;
    await put('a.yaml', manifest('a'));
    source = startFileSource({
      path: directory.path,
      frequencyMs: neverMs,
      decoder,
      onPods,
      events,
      clock,
      logger,
    });
    await eventually(async () => (clock.timerCount === 1 ? true : undefined)); // the watch is set: now it rests
    await truncate(at('a.yaml'));
    await eventually(async () => (clock.timerCount === 2 ? true : undefined)); // it was told
    await put('a.yaml', manifest('b'));
    clock.advance(500);
    await pods.until('b-node1');
    expect(pods.sets.map(namesOf)).to.deep.equal([['a-node1'], ['b-node1']]);
    expect(logger.lines).to.deep.equal([]);
  });

  it('does not hang at a pipe, and follows links', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    await mkdir(at('..data'));
    await put('..data/p.yaml', manifest('a'));
    await symlink('..data/p.yaml', at('p.yaml'));
    await symlink('nowhere', at('broken'));
    await start();
    expect(namesOf(pods.last)).to.deep.equal(['a-node1']);
    expect(complaints()).to.deep.equal(['pipe: manifest path is not a directory or file']);
  });

  it('refuses a file that is too large, and reads on', async () => {
    await put('a.yaml', manifest('a'));
    await put('large.yaml', `${manifest('large')}\n#${' '.repeat(10 * 1024 * 1024)}`);
    await start();
    expect(namesOf(pods.last)).to.deep.equal(['a-node1']);
    expect(complaints().join()).to.match(/^large\.yaml: .*the read limit is reached/);
  });

  it('says nothing after it was disposed of', async () => {
    await start();
    await source?.[Symbol.asyncDispose]();
    await put('a.yaml', manifest('a'));
    await source?.[Symbol.asyncDispose]();
    expect(pods.sets).to.deep.equal([[]]);
  });
});
