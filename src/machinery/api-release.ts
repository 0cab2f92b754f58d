/** Release of the public API that is served and spoken. */
export const apiRelease = { major: '1', minor: '20', version: 'v1.20.2' } as const;
