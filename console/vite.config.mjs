import { svelte } from '@sveltejs/vite-plugin-svelte';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vite';

/** Licenses that may be part of a program under the Apache License 2.0. */
const COMPATIBLE = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0'];

export default defineConfig({
  root: 'src/main/web',
  base: '/console/',
  plugins: [svelte({ configFile: false }), bundledLicenses()],
  build: {
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});

/** Writes the list and the license texts of the packages that are in the bundle, and refuses licenses that do not fit. */
function bundledLicenses() {
  return {
    name: 'bundled-licenses',
    generateBundle(options, bundle) {
      const packages = new Map();
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) {
          const folder = packageFolder(id);
          if (folder) {
            packages.set(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
          }
        }
      }
      const lines = [];
      for (const [folder, { name, version, license }] of packages) {
        if (!COMPATIBLE.includes(license)) {
          this.error(`Expected one of the licenses ${COMPATIBLE.join(', ')}, but ${name} has ${license}.`);
        }
        lines.push(`npm:${name} ${version}: ${license}`);
        const text = readdirSync(folder).find((file) => /^(licen[sc]e|copying)(\..*)?$/i.test(file));
        if (!text) {
          this.error(`Expected the license text in the package ${name}, but it has none.`);
        }
        const fileName = `licenses/${name.replaceAll('/', '-').replace('@', '')}-${version}.txt`;
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(folder, text)) });
      }
      this.emitFile({ type: 'asset', fileName: 'licenses/packages.txt', source: lines.sort().join('\n') + '\n' });
    },
  };
}

function packageFolder(id) {
  const file = id.replace(/^\0/, '').split('?')[0];
  if (!file.replaceAll('\\', '/').includes('/node_modules/')) {
    return null;
  }
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json')) || !JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version) {
    folder = dirname(folder);
  }
  return folder;
}
