import { expect } from 'chai';
import { validateWebhookClient } from '../../../src/apis/webhook-client.ts';
import { type FieldError, fieldPath } from '../../../src/machinery/errors/index.ts';
import { subdomain1123 } from './core-pod/wording.ts';

const form = '; desired format: https://host[/path]';
type Client = Parameters<typeof validateWebhookClient>[1];

const cases: readonly (readonly [client: Client, errors: readonly string[]])[] = [
  [{ url: 'https://a.b' }, []],
  [{ url: 'https://a.b/c/d' }, []],
  [{ url: 'https://a.b/c%20d' }, []],
  [{ url: 'https://a.b/c d' }, []],
  [{ url: 'https://[::1]:443/c' }, []],
  [
    { url: 'https://a.b:c' },
    [
      `c.url: Required value: url must be a valid URL: parse "https://a.b:c": invalid port ":c" after host${form}`,
    ],
  ],
  [{}, ['c: Required value: exactly one of url or service is required']],
  [
    { url: 'https://a.b', service: { name: 'a', namespace: 'b' } },
    ['c: Required value: exactly one of url or service is required'],
  ],
  [{ url: 'http://a.b' }, [`c.url: Invalid value: "http": 'https' is the only allowed URL scheme${form}`]],
  [{ url: 'https:///x' }, [`c.url: Invalid value: "": host must be provided${form}`]],
  [{ url: 'https://u:p@a.b' }, ['c.url: Invalid value: "u:p": user information is not permitted in the URL']],
  [{ url: 'https://a.b/x#y' }, ['c.url: Invalid value: "y": fragments are not permitted in the URL']],
  [
    { url: 'https://a.b/x?q=1' },
    ['c.url: Invalid value: "q=1": query parameters are not permitted in the URL'],
  ],
  [
    { url: '%zz' },
    [`c.url: Required value: url must be a valid URL: parse "%zz": invalid URL escape "%zz"${form}`],
  ],
  [{ service: { name: 'a', namespace: 'b', path: '/x/y', port: 1 } }, []],
  [
    { service: { name: '', namespace: 'b' } },
    ['c.service.namespace: Required value: service namespace is required'],
  ],
  [{ service: { name: 'a', namespace: '' } }, ['c.service.name: Required value: service name is required']],
  [
    { service: { name: 'a', namespace: 'b', port: 65_536 } },
    ['c.service.port: Invalid value: 65536: port is not valid: must be between 1 and 65535, inclusive'],
  ],
  [
    { service: { name: 'a', namespace: 'b', path: '/A_b!/c/' } },
    [`c.service.path: Invalid value: "/A_b!/c/": segment[0]: ${subdomain1123}`],
  ],
];

describe('validateWebhookClient', () => {
  for (const [client, texts] of cases) {
    it(`judges ${JSON.stringify(client)}`, () => {
      const errors: FieldError[] = [];
      validateWebhookClient(errors, client, fieldPath('c'));
      expect(errors.map(String)).to.deep.equal(texts);
    });
  }
});
