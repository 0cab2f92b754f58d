import { expect } from 'chai';
import type { ApiObject } from '../../../../src/machinery/meta/index.ts';
import type { AuthorizationQuestion } from '../../../../src/server/auth/authorizer.ts';
import { checkHasNoUid, createByUpdate } from '../../../../src/server/handlers/create-by-update.ts';
import type { StoredEndpoint } from '../../../../src/server/handlers/endpoint.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { expectStatus } from '../../../support/expect-status.ts';

const exchange = makeExchange({
  method: 'PATCH',
  url: '/api/v1/namespaces/default/configmaps/a?fieldManager=m',
  user: { name: 'alice' },
});
const object = (uid?: string): ApiObject =>
  ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', ...(uid && { uid }) } }) as ApiObject;

describe('createByUpdate', () => {
  const questions: AuthorizationQuestion[] = [];
  const createWith = (decision: { isAllowed: boolean; reason: string }) => {
    const authorizer = {
      authorize(question: AuthorizationQuestion) {
        questions.push(question);
        return decision;
      },
    };
    // Nothing else of the context is looked at.
    const endpoint = { context: { authorizer } } as unknown as StoredEndpoint;
    return createByUpdate(exchange, endpoint, () => object());
  };

  it('asks for the permission to create the object', async () => {
    questions.length = 0;
    await createWith({ isAllowed: true, reason: '' }).authorize?.();
    expect(questions).to.have.length(1);
    expect(questions[0]?.user.name).to.equal('alice');
    const expected = { verb: 'create', namespace: 'default', resource: 'configmaps', name: 'a' };
    expect(questions[0]?.request).to.include(expected);
  });

  it('refuses those who have it not, with the reason', async () => {
    const authorized = createWith({ isAllowed: false, reason: 'no rule' }).authorize?.() ?? Promise.resolve();
    await expectStatus(authorized, {
      code: 403,
      reason: 'Forbidden',
      message: 'configmaps "a" is forbidden: no rule',
    });
  });

  it('asks for nothing before it has to', () => {
    questions.length = 0;
    expect(createWith({ isAllowed: false, reason: '' }).object()).to.deep.equal(object());
    expect(questions).to.deep.equal([]);
  });
});

describe('checkHasNoUid', () => {
  it('lets an object without a uid pass', () => checkHasNoUid(object(), exchange));

  it('refuses one that says which object it is', () =>
    expectStatus(() => checkHasNoUid(object('u-1'), exchange), {
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": uid mismatch: the provided object specified uid u-1, ' +
        'and no existing object was found',
    }));
});
