/** `orch test-assets`: folders of programs with which helpers of controller tests start an API server. */
export { runTestAssets, runTestServer } from './run-test-assets.ts';
export { runTestStore } from './run-test-store.ts';
