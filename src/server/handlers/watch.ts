import {
  parseWatchStart,
  type ServedKind,
  validateListQuery,
  type WatchReceiver,
  watchObjects,
} from '../../registry/index.ts';
import type { CacheWatch } from '../../storage/watch-cache/index.ts';
import { parseListQuery } from '../request/options.ts';
import { isTrue } from '../request/request-info.ts';
import { openHttpOutlet } from '../streaming/http-outlet.ts';
import { WatchStream } from '../streaming/watch-stream.ts';
import { openWebSocketOutlet } from '../streaming/websocket-outlet.ts';
import type { EndpointHandler } from './endpoint.ts';
import { OrderedEvents } from './ordered-events.ts';
import { parseSelection } from './selection.ts';
import { type FrameEncoder, frameEncoder } from './watch-frames.ts';
import { cachedBytes } from './write-object.ts';

/** Longest time that timers can measure; longer watches end there, after more than three weeks. */
const longestMs = 2 ** 31 - 1;
/** How often an idle watch tells its position, for clients that asked for bookmarks. */
const bookmarkIntervalMs = 50_000;

/** GET of a collection with `watch`: a stream of events until the client leaves or the time is up. */
export const handleWatch: EndpointHandler = async (exchange, endpoint) => {
  const { context, served } = endpoint;
  // That of the version as it is served now: it may be served no more when a WebSocket is open.
  const { retirement } = served;
  const query = parseListQuery(exchange.query);
  validateListQuery(query, context.metaGroup);
  const selection = parseSelection(exchange, endpoint);
  const start = parseWatchStart(query.resourceVersion, query.sendInitialEvents);
  const sendsBookmarks = isTrue(exchange.query.get('allowWatchBookmarks'));
  const representation = context.negotiator.streamOf(endpoint.representation);
  const encoder = frameEncoder(exchange, endpoint, representation);
  const { pacer, joiner } = context.watchDelivery;
  const stream = new WatchStream({
    outlet:
      exchange.upgrade === undefined
        ? openHttpOutlet(exchange, representation.contentType, joiner)
        : await openWebSocketOutlet(exchange, exchange.upgrade, {
            isBinary: representation.encoding === 'protobuf',
          }),
    pacer,
    signal: exchange.signal,
    timeoutMs: timeoutMs(query.timeoutSeconds, context.minRequestTimeoutMs, context.random()),
    bookmarks: sendsBookmarks
      ? { intervalMs: bookmarkIntervalMs, encode: () => (isIdle() ? bookmarkOf(watch, encoder) : undefined) }
      : undefined,
  });
  const sink: WatchReceiver = {
    // Release 1.20 cannot make lists of events, and ends there.
    onEvent: (event) =>
      representation.as === 'PartialObjectMetadataList' ? stream.finish() : stream.send(encoder.event(event)),
    onInitialEnd: (revision) => {
      if (query.sendInitialEvents === true && sendsBookmarks) stream.send(encoder.initialEnd(revision));
    },
    onError: (error) => stream.fail(encoder.error(error.status)),
    onEnd: () => stream.finish(),
    drained: () => stream.drained(),
  };
  const events = served.store.convertsRemotely === true ? eventsInOrder(served, stream, encoder) : undefined;
  const isIdle = (): boolean => events?.isIdle !== false;
  const watch: CacheWatch = watchObjects(
    served.store,
    { ...selection, start },
    events === undefined ? sink : behind(events, sink),
  );
  const finish = (): void => stream.finish();
  retirement?.addEventListener('abort', finish);
  if (retirement?.aborted === true) finish();
  try {
    await stream.ended;
  } finally {
    retirement?.removeEventListener('abort', finish);
    watch.close();
    // Many clients may disconnect at the same moment; the clean-up of each is done in slices.
    const slice = served.store.cache.slices.begin(1);
    if (slice.isSpent()) await slice.rest();
  }
};

function eventsInOrder(served: ServedKind, stream: WatchStream, encoder: FrameEncoder): OrderedEvents {
  return new OrderedEvents({
    convert: (event) => cachedBytes(served, event.object),
    send: (event) => stream.send(encoder.event(event)),
    fail: ({ status }) => stream.fail(encoder.error(status)),
  });
}

/** The sink, told of each thing when what was before it is sent. */
const behind = (events: OrderedEvents, sink: WatchReceiver): WatchReceiver => ({
  ...sink,
  onEvent: (event) => events.add(event),
  onInitialEnd: (revision) => events.add(() => sink.onInitialEnd?.(revision)),
  onError: (error) => events.add(() => sink.onError(error)),
  onEnd: () => events.add(() => sink.onEnd?.()),
  drained: () => events.drained() ?? sink.drained?.(),
});

/**
 * The bookmark for the watch's position; undefined while old events are still on their way, which a client must not
 * skip.
 */
function bookmarkOf(watch: CacheWatch, encoder: FrameEncoder): Buffer | undefined {
  return watch.isLive ? encoder.bookmark(watch.revision) : undefined;
}

/** A watch lasts as long as the client asked, else between once and twice the least time, so that ends spread out. */
function timeoutMs(timeoutSeconds: number | undefined, leastMs: number, random: number): number {
  if (timeoutSeconds !== undefined && timeoutSeconds > 0) return Math.min(timeoutSeconds * 1000, longestMs);
  return Math.min(leastMs * (1 + random), longestMs);
}
