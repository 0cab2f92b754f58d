import { expect } from 'chai';
import type { Node } from '../../../../src/apis/types/core-v1.ts';
import type { RestClient, RestRequest } from '../../../../src/client/rest/index.ts';
import { patchNode } from '../../../../src/controllers/node-lifecycle/patch-node.ts';
import { conflict, notFound } from '../../../../src/machinery/errors/index.ts';

const nodes = { group: '', resource: 'nodes' };
const node = (resourceVersion: string, uid = 'u') =>
  ({ metadata: { name: 'n', uid, resourceVersion } }) as unknown as Node;

/** A server where the node has another version at each of these requests. */
async function patch(versions: string[], { uid = 'u', isGone = false } = {}) {
  const sent: string[] = [];
  const decided: string[] = [];
  const client = {
    async send({ body }: RestRequest) {
      const { metadata } = body as Node;
      sent.push(metadata.resourceVersion ?? '');
      if (isGone) throw notFound(nodes, 'n');
      if (metadata.resourceVersion !== versions[0])
        throw conflict(nodes, 'n', 'the object has been modified');
    },
    json: async () => node(versions.shift() ?? '', uid),
  } as unknown as RestClient;
  await patchNode({ client, signal: new AbortController().signal }, node('1'), ({ metadata }) => {
    decided.push(metadata.resourceVersion ?? '');
    return metadata.resourceVersion === 'right' ? undefined : { taints: [] };
  });
  return { sent, decided };
}

describe('patchNode', () => {
  it('writes what was decided', async () => {
    expect(await patch(['1'])).to.deep.equal({ sent: ['1'], decided: ['1'] });
  });

  it('decides anew when somebody else was faster', async () => {
    expect(await patch(['2', '3', '3'])).to.deep.equal({ sent: ['1', '2', '3'], decided: ['1', '2', '3'] });
  });

  it('writes nothing when somebody else did it', async () => {
    expect(await patch(['right'])).to.deep.equal({ sent: ['1'], decided: ['1', 'right'] });
  });

  it('leaves another node of the name alone, and one that is gone', async () => {
    expect(await patch(['2'], { uid: 'other' })).to.deep.equal({ sent: ['1'], decided: ['1'] });
    expect(await patch(['1'], { isGone: true })).to.deep.equal({ sent: ['1'], decided: ['1'] });
  });

  it('gives up against somebody who always is', async () => {
    let error: unknown;
    try {
      await patch(Array.from({ length: 20 }, (_, index) => `v${index}`));
    } catch (thrown) {
      error = thrown;
    }
    expect(error).to.have.property('status').with.property('reason', 'Conflict');
  });
});
