import { expect } from 'chai';
import { Router } from '../../../../src/nodeagent/api/http/router.ts';

const router = new Router();
const nothing = () => {};
router.handle('/metrics', nothing);
router.handle('/logs/', nothing);
router.handle('/logs/special/', nothing);
router.service('/pods', [{ methods: ['GET'], template: '', handler: nothing }]);
router.service('/stats/', [{ methods: ['GET'], template: 'summary', handler: nothing }]);
router.service('/run', [
  { methods: ['POST'], template: '{namespace}/{pod}/{container}', handler: nothing },
  { methods: ['POST'], template: '{namespace}/{pod}/{uid}/{container}', handler: nothing },
]);
router.service('/files', [{ methods: ['GET'], template: 'all/{path:*}', handler: nothing }]);

describe('Router', () => {
  const cases: readonly (readonly [request: string, result: unknown])[] = [
    ['GET /metrics', {}],
    ['DELETE /metrics', {}],
    ['GET /metrics/', 'unknown'],
    ['GET /metrics/nope', 'unknown'],
    ['GET /', 'unknown'],
    ['GET *', 'unknown'],
    ['GET /logs', '/logs/'],
    ['GET /logs/a/b', {}],
    ['GET /logs//a', '/logs/a'],
    ['GET /logs/../pods', '/pods'],
    ['GET /logs/a/..', '/logs'],
    ['GET /pods', {}],
    ['GET /pods/', {}],
    ['POST /pods', 405],
    ['GET /pods/web', 404],
    ['GET /podsx', 'unknown'],
    ['GET /stats', '/stats/'],
    ['GET /stats/', 404],
    ['GET /stats/summary', {}],
    ['GET /stats/summary/', {}],
    ['POST /run/n/p/c', { namespace: 'n', pod: 'p', container: 'c' }],
    ['POST /run/n/p/u/c', { namespace: 'n', pod: 'p', uid: 'u', container: 'c' }],
    ['GET /run/n/p/c', 405],
    ['POST /run/n/p', 404],
    ['POST /run', 404],
    ['GET /files/all/a/b c', { path: 'a/b c' }],
    ['GET /files/all', 404],
  ];
  for (const [request, result] of cases) {
    it(`leads ${request} to ${JSON.stringify(result)}`, () => {
      const [method = '', ...path] = request.split(' ');
      const found = router.find(method, path.join(' '));
      const shown =
        found.kind === 'found'
          ? found.values
          : found.kind === 'missed'
            ? found.status
            : found.kind === 'moved'
              ? found.path
              : found.kind;
      expect(shown).to.deep.equal(result);
    });
  }
});
