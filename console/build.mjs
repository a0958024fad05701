// Builds the console into the folder of a Maven build: node build.mjs TARGET [auto|required]
// It does nothing if the sources have not changed since the last build. With "auto" a machine without npm, or without the
// packages, gets a build without console; with "required", and in the continuous build, that is an error.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, 'target'));
const required = process.argv[3] === 'required' || process.env.JITNEY_CI === 'true';
const output = join(target, 'classes', 'dev', 'jitney', 'console');
const licenses = join(target, 'classes', 'META-INF', 'licenses');
const built = join(target, 'console.sha256');

if (Number(process.versions.node.split('.')[0]) < 18) {
  withoutConsole(`Expected Node 18 or later, but this is ${process.version}.`);
}
const sources = ['package.json', 'package-lock.json', 'build.mjs', 'vite.config.mjs', 'svelte.config.js', 'tsconfig.json', ...files('src')];
const digest = createHash('sha256');
for (const source of sources) {
  digest.update(source.replaceAll('\\', '/') + '\0').update(readFileSync(join(here, source))).update('\0');
}
const state = digest.digest('hex');
if (existsSync(join(output, 'assets.txt')) && existsSync(built) && readFileSync(built, 'utf8') === state) {
  process.exit(0);
}
for (const old of [output, licenses, built]) {
  rmSync(old, { recursive: true, force: true });
}
installPackages();
run('The type check', 'node', ['node_modules/svelte-check/bin/svelte-check', '--tsconfig', 'tsconfig.json', '--fail-on-warnings', '--output', 'human']);
const web = join(target, 'web');
run('Vite', 'node', ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', web]);
pack(web);
writeFileSync(built, state);

/** Installs the packages of the lock file, unless they are there. */
function installPackages() {
  const installed = join(here, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(here, 'package-lock.json')).mtimeMs) {
    return;
  }
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress'],
    { cwd: here, encoding: 'utf8', shell: process.platform === 'win32' });
  if (npm.error || npm.status !== 0) {
    withoutConsole(`npm ci failed in ${here}: ${npm.error?.message ?? (npm.stdout + npm.stderr).trim()}`);
  }
}

/** Compresses the assets, and lists them, because the entries of a jar cannot be listed on a class path. */
function pack(from) {
  const assets = readdirSync(from, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => statSync(join(from, name)).isFile() && !name.startsWith('licenses/'))
    .sort();
  for (const asset of assets) {
    write(join(output, asset + '.gz'), gzipSync(readFileSync(join(from, asset)), { level: 9 }));
  }
  for (const name of readdirSync(join(from, 'licenses'))) {
    write(join(licenses, name), readFileSync(join(from, 'licenses', name)));
  }
  write(join(output, 'assets.txt'), assets.join('\n') + '\n');
}

function write(file, bytes) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

function run(name, command, args) {
  const result = spawnSync(command, args, { cwd: here, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } });
  if (result.error || result.status !== 0) {
    console.error(`${name} failed:\n${result.error?.message ?? result.stdout + result.stderr}`);
    process.exit(1);
  }
}

function withoutConsole(reason) {
  console.error(required ? reason : `${reason} This build has no console.`);
  process.exit(required ? 1 : 0);
}

function files(folder) {
  return readdirSync(join(here, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => statSync(join(here, name)).isFile())
    .map((name) => relative(here, join(here, name)))
    .sort();
}
