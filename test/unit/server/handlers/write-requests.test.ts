import { expect } from 'chai';
import type { AuthorizationQuestion } from '../../../../src/server/authorization/index.ts';
import type { StoredEndpoint } from '../../../../src/server/handlers/endpoint.ts';
import { authorizeCreate } from '../../../../src/server/handlers/write-requests.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { expectStatus } from '../../../support/expect-status.ts';

const exchange = makeExchange({
  method: 'PATCH',
  url: '/api/v1/namespaces/default/configmaps/a?fieldManager=m',
  user: { name: 'alice' },
});
describe('authorizeCreate', () => {
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
    return authorizeCreate(exchange, endpoint);
  };

  it('asks for the permission to create the object', async () => {
    questions.length = 0;
    await createWith({ isAllowed: true, reason: '' });
    expect(questions).to.have.length(1);
    expect(questions[0]?.user.name).to.equal('alice');
    const expected = { verb: 'create', namespace: 'default', resource: 'configmaps', name: 'a' };
    expect(questions[0]?.request).to.include(expected);
  });

  it('refuses those who have it not, with the reason', async () => {
    await expectStatus(createWith({ isAllowed: false, reason: 'no rule' }), {
      code: 403,
      reason: 'Forbidden',
      message: 'configmaps "a" is forbidden: no rule',
    });
  });
});
