/**
 * What one pod costs in Protobuf and in JSON, on this machine: `node bench/protobuf.ts`. The least of many
 * short runs is shown, which other work on the machine disturbs least.
 */
import { createTypeCatalog } from '../src/apis/catalog.ts';
import { createProtobufCompiler, encodeList } from '../src/machinery/codec/protobuf/index.ts';
import { orchDialect } from '../src/machinery/dialect.ts';
import { benchPod } from './bench-pod.ts';

const runsPerSample = 100;
const sampleMs = 1500;
const listLength = 2000;

/** Nanoseconds of one call, the least of all samples. */
function leastNanos(call: () => unknown): number {
  const end = performance.now() + sampleMs;
  let least = Number.POSITIVE_INFINITY;
  while (performance.now() < end) {
    const start = performance.now();
    for (let run = 0; run < runsPerSample; run++) call();
    least = Math.min(least, ((performance.now() - start) * 1e6) / runsPerSample);
  }
  return Math.round(least);
}

const catalog = createTypeCatalog(orchDialect);
const compiler = createProtobufCompiler(catalog);
const type = catalog.type('v1.Pod');
const message = compiler.type('v1.Pod');
const pod = type.decode(benchPod('bench-pod', 1));
const json = Buffer.from(JSON.stringify(pod));
const bytes = message.encode(pod);
const list = {
  list: compiler.type('v1.PodList'),
  typeMeta: { apiVersion: 'v1', kind: 'PodList' },
  metadata: { resourceVersion: '1' },
  items: Array.from({ length: listLength }, () => message.encodeFramed(pod)),
};

console.table({
  sizeBytes: { protobuf: bytes.length, json: json.length },
  encodeNanos: {
    protobuf: leastNanos(() => message.encode(pod)),
    json: leastNanos(() => Buffer.from(JSON.stringify(pod))),
  },
  decodeNanos: {
    protobuf: leastNanos(() => message.decode(bytes)),
    json: leastNanos(() => type.decode(JSON.parse(json.toString()))),
  },
  parseNanos: { json: leastNanos(() => JSON.parse(json.toString())) },
  [`joinOf${listLength}Nanos`]: { protobuf: leastNanos(() => encodeList(list)) },
});
