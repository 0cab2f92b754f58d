import { expect } from 'chai';
import type { RestClient, RestRequest } from '../../../../src/client/rest/index.ts';
import type { TemplateRevision } from '../../../../src/controllers/revision-history/index.ts';
import { RevisionWriter } from '../../../../src/controllers/workloads/revision-writer.ts';
import { alreadyExists } from '../../../../src/machinery/errors/index.ts';

const templateOf = (image: string) => ({
  metadata: {},
  spec: { containers: [{ name: 'c', image, resources: {} }] },
});

/** Writes the first revision of a template, where these revisions are there already; their names then, and what was written. */
async function write(image: string, { kind = 'StatefulSet', stored = [] as TemplateRevision[] } = {}) {
  const all = new Map(stored.map((revision) => [revision.metadata.name, revision]));
  const client = {
    async json({ method, path, body }: RestRequest) {
      // Revisions are all that is written.
      const revision = body as TemplateRevision;
      if (method !== 'POST') return all.get(path.split('/').at(-1));
      const { name = '' } = revision.metadata;
      if (all.has(name)) throw alreadyExists({ group: 'apps', resource: 'controllerrevisions' }, name);
      all.set(name, revision);
      return revision;
    },
  } as unknown as RestClient; // nothing else is used
  const { signal } = new AbortController();
  const owner = { apiVersion: 'apps/v1', kind, namespace: 'n', name: 'x', uid: kind, isBeingDeleted: false };
  const written = await new RevisionWriter({ client, signal }, 'hash').write(
    { owner, template: templateOf(image), annotations: undefined, collisionCount: 0 },
    { kind: 'create', revision: 1 },
  );
  return { ...written, all: [...all.values()] };
}

describe('a new revision', () => {
  it('takes up one that is there with its template', async () => {
    const { all: stored } = await write('a');
    const { revision, collisionCount, all } = await write('a', { stored });
    expect([revision, collisionCount, all.length]).to.deep.equal([stored[0], 0, 1]);
  });

  it('gets another name where its own is another template’s, and says so', async () => {
    const { revision: taken } = await write('a');
    const { data } = (await write('b')).revision;
    const stored = [{ ...taken, ...(data && { data }) }];
    const { revision, collisionCount, all } = await write('a', { stored });
    expect(revision.metadata.name).to.not.equal(taken.metadata.name);
    expect([collisionCount, all.length]).to.deep.equal([1, 2]);
  });

  it('is not that of an owner of another kind with the same name and template', async () => {
    const { all: stored } = await write('a', { kind: 'DaemonSet' });
    const { revision, collisionCount, all } = await write('a', { stored });
    expect(revision.metadata.ownerReferences?.[0]?.kind).to.equal('StatefulSet');
    expect([collisionCount, all.length]).to.deep.equal([0, 2]);
  });
});
