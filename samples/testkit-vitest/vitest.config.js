import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'jitney-js-testkit/global-setup', // one broker for all test files
  },
});
