import { expect } from 'chai';
import { plainColours } from '../../../src/config/index.ts';
import { createWarningPrinter } from '../../../src/ctl/warnings.ts';
import { FakeApi } from './support/fake-api.ts';
import { run } from './support/run.ts';

const beta = 'extensions/v1beta1 Ingress is deprecated in v1.14+; use networking.orch.io/v1 Ingress';
const header = (...texts: string[]) => ({
  warning: texts.map((text) => `299 - ${JSON.stringify(text)}`).join(', '),
});

describe('createWarningPrinter', () => {
  const printAll = (...texts: string[]) => {
    let printed = '';
    const write = (text: string) => {
      printed += text;
    };
    const output = { isTerminal: false, write };
    const printer = createWarningPrinter(output, { ...plainColours, caution: (text) => `<${text}>` });
    for (const text of texts) printer.print(text);
    return { printed, count: printer.count() };
  };
  for (const [what, texts, printed, count] of [
    ['prints each text once', ['a', 'b', 'a'], '<Warning:> a\n<Warning:> b\n', 2],
    ['takes no notice of empty texts', ['', ' '], '', 0],
    ['prints nothing when nothing is said', [], '', 0],
    [
      'does not let a text control the terminal',
      ['red \u001b[31m\u009b31m\nWarning: b'],
      '<Warning:> red  [31m 31m Warning: b\n',
      1,
    ],
  ] as const) {
    it(what, () => {
      expect(printAll(...texts)).to.deep.equal({ printed, count });
    });
  }
});

describe('warnings of the server', () => {
  const path = '/api/v1/namespaces/default/configmaps';
  const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: [] };
  const notFound = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404, reason: 'NotFound' };
  let api: FakeApi;

  before(async () => {
    api = await FakeApi.start({
      [`GET ${path}`]: { headers: header(beta, 'look "out"'), body: list },
      [`GET ${path}/one`]: { headers: header(beta), body: { ...list, kind: 'ConfigMap' } },
      'GET /api/v1/namespaces/quiet/configmaps': { body: list },
      [`GET ${path}/none`]: { status: 404, headers: header(beta), body: { ...notFound, message: 'gone' } },
      [`GET ${path}/old`]: {
        headers: { warning: '110 - "stale", 299 agent "dated" "Sat, 21 Nov 2026 16:00:00 GMT"' },
        body: { ...list, kind: 'ConfigMap', metadata: { name: 'old' } },
      },
    });
  });
  after(() => api.stop());
  const get = (...argv: string[]) => run(['get', 'cm', '--server', api.url, ...argv]);

  it('are printed to stderr, and the command succeeds', async () => {
    const { code, err } = await get();
    expect(code).to.equal(0);
    expect(err.split('\n').slice(0, 2)).to.deep.equal([`Warning: ${beta}`, 'Warning: look "out"']);
  });

  it('are yellow on a terminal', async () => {
    const { err } = await run(['get', 'cm', '--server', api.url], { isTerminal: true });
    expect(err).to.contain(`\u001b[33mWarning:\u001b[39m ${beta}\n`);
  });

  it('are not coloured when the user wants no colours', async () => {
    const { err } = await run(['get', 'cm', '--server', api.url], {
      isTerminal: true,
      env: { NO_COLOR: '1' },
    });
    expect(err).to.contain(`Warning: ${beta}\n`);
    expect(err).not.to.contain('\u001b');
  });

  it('are only those with code 299', async () => {
    const { err } = await get('old', '-o', 'name');
    expect(err).to.equal('Warning: dated\n');
  });

  it('make the command fail when the user asks for that', async () => {
    const { code, err } = await get('--warnings-as-errors');
    expect(code).to.equal(1);
    expect(err).to.match(/\nerror: 2 warnings received\n$/);
  });

  it('count once however often they come', async () => {
    const { code, err } = await get('one', 'one', '-o', 'name', '--warnings-as-errors');
    expect(code).to.equal(1);
    expect(err).to.equal(`Warning: ${beta}\nerror: 1 warning received\n`);
  });

  it('are printed before the error of a command that fails', async () => {
    const { code, err } = await get('none', '--warnings-as-errors');
    expect(code).to.equal(1);
    expect(err).to.equal(`Warning: ${beta}\nError from server (NotFound): gone\n`);
  });

  it('do not matter to a command without any', async () => {
    const { code, err } = await get('-n', 'quiet', '--warnings-as-errors');
    expect({ code, err }).to.deep.equal({ code: 0, err: 'No resources found in quiet namespace.\n' });
  });
});
