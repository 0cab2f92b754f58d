import { expect } from 'chai';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import { MetricRegistry } from '../../../../src/net/metrics/index.ts';
import { createAgentMetrics, measureRuntime } from '../../../../src/nodeagent/api/index.ts';
import type { ImageService } from '../../../../src/nodeagent/runtime/index.ts';
import { ManualClock } from '../../storage/manual-clock.ts';

describe('MetricRegistry', () => {
  it('shows metrics by name in the exposition format', () => {
    const registry = new MetricRegistry();
    registry.define('b_total', { type: 'counter', help: 'Things.', labels: ['kind', 'how'] });
    registry.define('a', { type: 'gauge', help: 'A\nvalue\\.' });
    registry.add('b_total', 1, ['x', 'say "hi"\n']);
    registry.add('b_total', 2, ['x', 'say "hi"\n']);
    registry.set('a', 1.5);
    expect(registry.text()).to.equal(
      [
        '# HELP a A\\nvalue\\\\.',
        '# TYPE a gauge',
        'a 1.5',
        '# HELP b_total Things.',
        '# TYPE b_total counter',
        'b_total{kind="x",how="say \\"hi\\"\\n"} 3',
        '',
      ].join('\n'),
    );
  });

  it('shows an optional metric once something was counted', () => {
    const registry = new MetricRegistry();
    registry.define('a', { type: 'counter', help: 'A.', isOptional: true });
    expect(registry.text()).to.equal('');
    registry.add('a', 0);
    expect(registry.text()).to.match(/^a 0$/m);
  });

  it('counts in buckets up to each bound', () => {
    const registry = new MetricRegistry();
    registry.define('h', { type: 'histogram', help: 'H.', labels: ['k'], buckets: [1, 5] });
    for (const value of [0.5, 1, 3, 9]) registry.observe('h', value, ['a']);
    expect(registry.text().split('\n').slice(2)).to.deep.equal([
      'h_bucket{k="a",le="1"} 2',
      'h_bucket{k="a",le="5"} 3',
      'h_bucket{k="a",le="+Inf"} 4',
      'h_sum{k="a"} 13.5',
      'h_count{k="a"} 4',
      '',
    ]);
  });

  it('shows metrics without labels from the start, others once they have a value', () => {
    const registry = new MetricRegistry();
    registry.define('plain', { type: 'counter', help: 'P.' });
    registry.define('labelled', { type: 'counter', help: 'L.', labels: ['k'] });
    expect(registry.text()).to.include('plain 0').and.not.include('labelled');
  });

  it('looks values up when it is asked, and forgets what is cleared', () => {
    const registry = new MetricRegistry();
    registry.define('g', { type: 'gauge', help: 'G.', labels: ['k'] });
    let value = 1;
    registry.onCollect(() => {
      registry.clear('g');
      registry.set('g', value, [`k${value}`]);
    });
    expect(registry.text()).to.include('g{k="k1"} 1');
    value = 2;
    expect(registry.text()).to.include('g{k="k2"} 2').and.not.include('k1');
  });

  it('keeps no more series than fit', () => {
    const registry = new MetricRegistry();
    registry.define('g', { type: 'gauge', help: 'G.', labels: ['k'] });
    for (let count = 0; count < 10_100; count++) registry.set('g', 1, [String(count)]);
    expect(registry.text().split('\n')).to.have.length(10_003);
  });

  it('refuses names that are taken or unknown, and labels that are missing', () => {
    const registry = new MetricRegistry();
    registry.define('g', { type: 'gauge', help: 'G.', labels: ['k'] });
    expect(() => registry.define('g', { type: 'gauge', help: '' })).to.throw(RangeError);
    expect(() => registry.set('g', 1)).to.throw(RangeError);
    expect(() => registry.set('nope', 1)).to.throw(RangeError);
  });
});

describe('createAgentMetrics', () => {
  it('names metrics as the dialect does', () => {
    const options = { nodeName: 'n1', startedAtMs: 5000 };
    const orch = createAgentMetrics({ ...options, dialect: orchDialect });
    expect(orch.text()).to.include('nodeagent_node_name{node="n1"} 1');
    expect(orch.probes.text()).to.include('process_start_time_seconds 5\n');
    const other = createAgentMetrics({ ...options, dialect: createDialect('kubernetes') });
    expect(other.text()).to.match(/^kubelet_node_name\{node="n1"\} 1$/m);
    expect(other.text()).to.match(
      /^kubernetes_build_info\{major="1",minor="20",gitVersion="v1\.20\.\d+",.*,platform="linux\/\w+"\} 1$/m,
    );
  });
});

describe('measureRuntime', () => {
  it('counts and times calls, and those that fail', async () => {
    const clock = new ManualClock();
    const metrics = createAgentMetrics({ nodeName: 'n', dialect: orchDialect, startedAtMs: 0 });
    const images: Pick<ImageService, 'listImages' | 'removeImage'> = {
      async listImages() {
        clock.advance(2000);
        return [];
      },
      async removeImage() {
        throw new Error('no');
      },
    };
    // The wrapper asks for no more than these two.
    const measured = measureRuntime(images as ImageService, metrics, clock);
    await measured.listImages();
    let hasFailed = false;
    await measured.removeImage('x').catch(() => {
      hasFailed = true;
    });
    expect(hasFailed).to.equal(true);
    const text = metrics.text();
    expect(text).to.include('nodeagent_runtime_operations_total{operation_type="list_images"} 1');
    expect(text).to.include(
      'nodeagent_runtime_operations_duration_seconds_sum{operation_type="list_images"} 2',
    );
    expect(text).to.include('nodeagent_runtime_operations_errors_total{operation_type="remove_image"} 1');
  });
});
