import { expect } from 'chai';
import { createResourceTable } from '../../../src/apis/resources/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { servedKindOf } from '../../../src/server/handlers/endpoint.ts';
import { ServerMetrics } from '../../../src/server/metrics.ts';
import { respondText, respondTooManyRequests } from '../../../src/server/request/respond.ts';
import { makeExchange, type TestRequest } from '../../support/exchange.ts';

const table = createResourceTable({ dialect: orchDialect });
// What metrics look at is the resource.
const endpoints = new Map(
  table
    .inVersion('', 'v1')
    .filter(({ resource }) => resource === 'pods')
    .map((info) => [`/v1/${info.resource}`, { info }]),
);
const makeMetrics = () =>
  new ServerMetrics({
    dialect: orchDialect,
    storageStats: async () => ({ revision: 5, compactedRevision: 1, objectCount: 42, sizeBytes: 4096 }),
    kindOf: (info) => servedKindOf(endpoints.get(`${info.group}/${info.version}/${info.resource}`), info),
    objectCounts: () => [['pods', 42] as const],
  });

async function pass(metrics: ServerMetrics, request: TestRequest, code = 200): Promise<void> {
  await metrics.filter(makeExchange({ startedAtMs: Date.now(), ...request }), async (exchange) =>
    respondText(exchange, code, 'ok'),
  );
}
const linesOf = async (metrics: ServerMetrics, name: string) =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

describe('ServerMetrics', () => {
  it('counts what it was too busy for, and those requests only', async () => {
    const metrics = makeMetrics();
    const exchange = makeExchange({ method: 'POST', url: '/api/v1/namespaces/n/pods' });
    await metrics.filter(exchange, async () => respondTooManyRequests(exchange));
    await pass(metrics, { method: 'POST', url: '/api/v1/namespaces/n/pods/p/eviction' }, 429);
    expect(await linesOf(metrics, 'apiserver_request_terminations_total{')).to.deep.equal([
      'apiserver_request_terminations_total{verb="POST",group="",version="v1",resource="pods",subresource="",scope="namespace",component="apiserver",code="429"} 1',
    ]);
    expect(await linesOf(metrics, 'apiserver_dropped_requests_total{')).to.deep.equal([
      'apiserver_dropped_requests_total{request_kind="mutating"} 1',
    ]);
  });

  it('tells how authentication ended, and of few users by name', async () => {
    const metrics = makeMetrics();
    const { addOutcome } = metrics.authentication;
    const account = 'system:serviceaccount:orch-system:default';
    for (const user of [
      'admin',
      'nodeagent',
      account,
      'a@example.com',
      'b@example.com',
      'alice',
      'system:anonymous',
    ])
      addOutcome({ result: 'success', user, seconds: 0.003 });
    addOutcome({ result: 'error', user: '', seconds: 0 });
    addOutcome({ result: 'failure', user: '', seconds: 0 });
    expect(await linesOf(metrics, 'authenticated_user_requests{')).to.have.members([
      'authenticated_user_requests{username="admin"} 1',
      'authenticated_user_requests{username="nodeagent"} 1',
      `authenticated_user_requests{username="${account}"} 1`,
      'authenticated_user_requests{username="email_id"} 2',
      'authenticated_user_requests{username="other"} 2',
    ]);
    expect(await linesOf(metrics, 'authentication_attempts{')).to.have.members([
      'authentication_attempts{result="success"} 7',
      'authentication_attempts{result="error"} 1',
      'authentication_attempts{result="failure"} 1',
    ]);
    expect(
      await linesOf(metrics, 'authentication_duration_seconds_bucket{result="success"'),
    ).to.include.members([
      'authentication_duration_seconds_bucket{result="success",le="0.002"} 0',
      'authentication_duration_seconds_bucket{result="success",le="0.004"} 7',
    ]);
  });

  it('tells when certificates of clients end, where that can be read', async () => {
    const metrics = makeMetrics();
    for (const seconds of [-5, 3000, 40_000_000, Number.NaN]) metrics.authentication.addCertificate(seconds);
    const lines = await linesOf(metrics, 'apiserver_client_certificate_expiration_seconds');
    expect(lines).to.include.members([
      'apiserver_client_certificate_expiration_seconds_bucket{le="0"} 1',
      'apiserver_client_certificate_expiration_seconds_bucket{le="3600"} 2',
      'apiserver_client_certificate_expiration_seconds_bucket{le="31104000"} 2',
      'apiserver_client_certificate_expiration_seconds_sum 40002995',
      'apiserver_client_certificate_expiration_seconds_count 3',
    ]);
  });

  const labels: [request: TestRequest, code: number, expected: string][] = [
    [
      { url: '/api/v1/namespaces/n/pods/p' },
      200,
      'verb="GET",group="",version="v1",resource="pods",subresource="",scope="resource",dry_run="",component="apiserver",contentType="text/plain;charset=utf-8",code="200"',
    ],
    [
      { url: '/api/v1/namespaces/n/pods' },
      200,
      'verb="LIST",group="",version="v1",resource="pods",subresource="",scope="namespace",dry_run="",component="apiserver",contentType="text/plain;charset=utf-8",code="200"',
    ],
    [
      { url: '/api/v1/pods?watch=1' },
      200,
      'verb="WATCH",group="",version="v1",resource="pods",subresource="",scope="cluster",dry_run="",component="apiserver",contentType="text/plain;charset=utf-8",code="200"',
    ],
    [
      { method: 'POST', url: '/api/v1/namespaces/n/pods?dryRun=All' },
      201,
      'verb="POST",group="",version="v1",resource="pods",subresource="",scope="resource",dry_run="All",component="apiserver",contentType="text/plain;charset=utf-8",code="201"',
    ],
    [
      { method: 'POST', url: '/api/v1/namespaces/n/pods?dryRun=All&dryRun=x' },
      400,
      'verb="POST",group="",version="v1",resource="pods",subresource="",scope="resource",dry_run="invalid",component="apiserver",contentType="text/plain;charset=utf-8",code="400"',
    ],
    [
      { method: 'DELETE', url: '/api/v1/namespaces/n/pods' },
      200,
      'verb="DELETE",group="",version="v1",resource="pods",subresource="",scope="namespace",dry_run="",component="apiserver",contentType="text/plain;charset=utf-8",code="200"',
    ],
    [
      { method: 'HEAD', url: '/api/v1/namespaces/n/pods/p/exec' },
      403,
      'verb="GET",group="",version="v1",resource="pods",subresource="exec",scope="resource",dry_run="",component="apiserver",contentType="text/plain;charset=utf-8",code="403"',
    ],
    [
      { method: 'PUT', url: '/api/v1/namespaces/n/pods/p' },
      200,
      'verb="PUT",group="",version="v1",resource="pods",subresource="",scope="resource",dry_run="",component="apiserver",contentType="text/plain;charset=utf-8",code="200"',
    ],
    [
      {
        method: 'PATCH',
        url: '/api/v1/namespaces/n/pods/p',
        headers: { 'content-type': 'application/apply-patch+yaml' },
      },
      200,
      'verb="APPLY",group="",version="v1",resource="pods",subresource="",scope="resource",dry_run="",component="apiserver",contentType="text/plain;charset=utf-8",code="200"',
    ],
    [
      { url: '/healthz' },
      200,
      'verb="GET",group="",version="",resource="",subresource="",scope="",dry_run="",component="apiserver",contentType="text/plain;charset=utf-8",code="200"',
    ],
  ];
  for (const [request, code, expected] of labels) {
    it(`counts ${request.method ?? 'GET'} ${request.url}`, async () => {
      const metrics = makeMetrics();
      await pass(metrics, request, code);
      await pass(metrics, request, code);
      expect(await linesOf(metrics, 'apiserver_request_total{')).to.deep.equal([
        `apiserver_request_total{${expected}} 2`,
      ]);
    });
  }

  it('tells the types of answers that clients know from others', async () => {
    const metrics = makeMetrics();
    const types = ['application/json', 'application/vnd.orch.protobuf;stream=watch', 'text/x-a', 'text/x-b'];
    for (const answerType of types)
      await metrics.filter(makeExchange({ url: '/x' }), async (exchange) => {
        exchange.answerType = answerType;
      });
    const shown = (await linesOf(metrics, 'apiserver_request_total{')).map((line) =>
      line.replace(/.*contentType="([^"]*)".* /, '$1 '),
    );
    expect(shown).to.deep.equal([
      'application/json 1',
      'application/vnd.orch.protobuf;stream=watch 1',
      'other 2',
    ]);
  });

  it('tells of the process', async () => {
    const lines = await linesOf(makeMetrics(), 'process_');
    const values = new Map(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]));
    expect(values.get('process_start_time_seconds')).to.be.within(1.6e9, Date.now() / 1000);
    expect(values.get('process_open_fds')).to.be.above(2);
    expect(values.get('process_max_fds')).to.be.above(2);
    expect(values.get('process_virtual_memory_bytes')).to.be.above(1e6);
    expect(values.get('process_virtual_memory_max_bytes')).to.not.equal(undefined);
  });

  it('makes no labels of what clients invent', async () => {
    const metrics = makeMetrics();
    for (let n = 0; n < 200; n++) {
      await pass(metrics, { url: `/api/v1/things${n}` }, 404);
      await pass(metrics, { url: `/apis/group${n}/v1/pods` }, 404);
      await pass(metrics, { url: `/path${n}` }, 404);
      await pass(metrics, { url: `/api/v1/namespaces/n${n}/pods/p${n}?dryRun=x${n}` }, 404);
      await pass(metrics, { method: `METHOD${n}`, url: '/x' }, 404);
    }
    const lines = await linesOf(metrics, 'apiserver_request_total{');
    expect(lines.length).to.be.below(8);
    expect(lines.join('\n')).to.contain('verb="other"');
  });

  it('makes no labels of subresources that clients invent', async () => {
    const metrics = makeMetrics();
    for (let n = 0; n < 50; n++) {
      await pass(metrics, { url: `/api/v1/namespaces/n/pods/p/invented${n}` }, 404);
    }
    expect(await linesOf(metrics, 'apiserver_request_total{')).to.have.length(1);
  });

  it('knows the subresources that are served', async () => {
    const metrics = makeMetrics();
    await pass(metrics, { url: '/api/v1/namespaces/n/pods/p/status' });
    expect((await linesOf(metrics, 'apiserver_request_total{'))[0]).to.contain('subresource="status"');
  });

  it('counts requests that fail', async () => {
    const metrics = makeMetrics();
    const failure = new Error('failed');
    const failed = await metrics
      .filter(makeExchange({ url: '/x' }), async () => {
        throw failure;
      })
      .catch((error: unknown) => error);
    expect(failed).to.equal(failure);
    expect(await linesOf(metrics, 'apiserver_request_total{')).to.have.length(1);
  });

  it('shows watches while they last, and does not time them', async () => {
    const metrics = makeMetrics();
    let during: string[] = [];
    await metrics.filter(makeExchange({ url: '/api/v1/pods?watch=1' }), async () => {
      during = await linesOf(metrics, 'apiserver_longrunning_gauge{');
    });
    expect(during.map((line) => line.split(' ').at(-1))).to.deep.equal(['1']);
    expect((await linesOf(metrics, 'apiserver_longrunning_gauge{'))[0]).to.match(/ 0$/);
    expect(await linesOf(metrics, 'apiserver_request_duration_seconds_count')).to.satisfy((lines: string[]) =>
      lines.every((line) => line.endsWith(' 0')),
    );
  });

  it('measures the size of answers to reads', async () => {
    const metrics = makeMetrics();
    await pass(metrics, { url: '/api/v1/pods' });
    await pass(metrics, { method: 'POST', url: '/api/v1/namespaces/n/pods' });
    const sums = await linesOf(metrics, 'apiserver_response_sizes_sum');
    expect(sums).to.have.length(1);
    expect(sums[0]).to.match(/verb="LIST".* 2$/);
  });

  it('shows what is being worked on and what storage holds', async () => {
    const metrics = makeMetrics();
    metrics.set('mutating', 3);
    const text = await metrics.text();
    expect(text).to.contain('apiserver_current_inflight_requests{request_kind="mutating"} 3');
    expect(text).to.contain('etcd_object_counts{resource="pods"} 42');
    expect(text).to.match(/etcd_db_total_size_in_bytes\{.*\} 4096/);
    expect(text).to.match(/process_resident_memory_bytes \d+/);
  });

  it('adds up how long the store takes, by operation and type', async () => {
    const metrics = makeMetrics();
    metrics.addStorageTime('create', '*core.Pod', 0.01);
    metrics.addStorageTime('create', '*core.Pod', 3);
    const lines = await linesOf(metrics, 'etcd_request_duration_seconds');
    const labels = 'operation="create",type="*core.Pod"';
    expect(lines).to.include(`etcd_request_duration_seconds_bucket{${labels},le="0.025"} 1`);
    expect(lines).to.include(`etcd_request_duration_seconds_sum{${labels}} 3.01`);
    expect(lines).to.include(`etcd_request_duration_seconds_count{${labels}} 2`);
  });

  it('counts the watches that are open', async () => {
    const metrics = makeMetrics();
    let during: string[] = [];
    await metrics.filter(makeExchange({ url: '/api/v1/pods?watch=1' }), async (exchange) => {
      during = await linesOf(metrics, 'apiserver_registered_watchers{');
      respondText(exchange, 200, 'ok');
    });
    expect(during).to.deep.equal(['apiserver_registered_watchers{group="",version="v1",kind="Pod"} 1']);
    expect(await linesOf(metrics, 'apiserver_registered_watchers{')).to.deep.equal([
      'apiserver_registered_watchers{group="",version="v1",kind="Pod"} 0',
    ]);
  });

  it('shows the queues of controllers, and those of one together', async () => {
    const metrics = makeMetrics();
    const one = metrics.queues.countersOf('daemonset');
    const other = metrics.queues.countersOf('daemonset');
    one.addDepth(3);
    other.addDepth(-1);
    one.countAdd();
    one.countRetry();
    one.observeWait(0.05);
    one.observeWork(2);
    one.followWork(() => [1, 4]);
    const unfollow = other.followWork(() => [8]);
    const shown = async () =>
      (await linesOf(metrics, 'workqueue_')).filter(
        (line) => !line.includes('_bucket') || line.includes('le="0.1"'),
      );
    expect(await shown()).to.deep.equal([
      'workqueue_adds_total{name="daemonset"} 1',
      'workqueue_depth{name="daemonset"} 2',
      'workqueue_longest_running_processor_seconds{name="daemonset"} 8',
      'workqueue_queue_duration_seconds_bucket{name="daemonset",le="0.1"} 1',
      'workqueue_queue_duration_seconds_sum{name="daemonset"} 0.05',
      'workqueue_queue_duration_seconds_count{name="daemonset"} 1',
      'workqueue_retries_total{name="daemonset"} 1',
      'workqueue_unfinished_work_seconds{name="daemonset"} 13',
      'workqueue_work_duration_seconds_bucket{name="daemonset",le="0.1"} 0',
      'workqueue_work_duration_seconds_sum{name="daemonset"} 2',
      'workqueue_work_duration_seconds_count{name="daemonset"} 1',
    ]);
    unfollow();
    expect(await linesOf(metrics, 'workqueue_unfinished')).to.deep.equal([
      'workqueue_unfinished_work_seconds{name="daemonset"} 5',
    ]);
  });
});
