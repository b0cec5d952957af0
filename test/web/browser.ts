/**
 * A real browser on the real service, which serves the built app: pages that note what the policy refused, what went
 * wrong in the console and what axe found. Chromium is the distribution's; the machine of a developer may lack it.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { vi } from 'vitest';
import { buildWebApp } from '../../src/web-app/build-web-app.ts';
import { projectFolder } from '../architecture/scan-sources.ts';
import { PATIENCE_MS, patience } from '../setup/patience.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type DefaultWorkspace, makeDefaultWorkspace } from '../workspaces/default-workspace.ts';

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const executablePath = places.find((place) => place !== undefined && existsSync(place)) ?? null;

/** What stands in the way of a browser; null: nothing. In CI that is a failure, not a reason to skip. */
export const browserMissing =
  executablePath === null
    ? 'No Chromium: install it (Debian: apt-get install chromium) or name it in CHROMIUM. The tests of the web app are skipped.'
    : null;
if (browserMissing !== null) {
  if (process.env.CI !== undefined || process.env.TEST_BROWSER_REQUIRED === 'true')
    throw new Error(browserMissing);
  // biome-ignore lint/suspicious/noConsole: whoever runs the tests learns what they skip
  console.warn(browserMissing);
}

const screenshots = join(projectFolder, 'test/web/screenshots');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Answers that a page shows to people are no faults of the page. */
const expectedInConsole = /Failed to load resource: the server responded with a status of 4\d\d/;

export interface Finding {
  rule: string;
  impact: string;
  nodes: string[];
}

export interface AxeLook {
  /** A selector: only what stands there, such as a dialog over a page that was looked at already. */
  within?: string;
  /** The page was looked at in its other colours already. */
  contrastOnly?: boolean;
}

export interface AppPage {
  page: Page;
  /** What the console and the policy complained of since the page was opened. */
  complaints: string[];
  goto(path: string): Promise<void>;
  /** Everything that the page asked for is there, but for the stream of events, which goes on. */
  settled(): Promise<void>;
  axe(look?: AxeLook): Promise<Finding[]>;
  /** With PAGES_PICTURES=true; nothing is asked of the picture. */
  shoot(name: string): Promise<void>;
}

export interface WebApp {
  server: TestServer;
  workspace: DefaultWorkspace;
  /** A page of its own browser profile, signed in with the key; null: not signed in. */
  open(options?: OpenOptions): Promise<AppPage>;
  /**
   * Ends a page. Its profile is emptied, and the next test that opens one gets it: a browser that has run the app before
   * loads it with a quarter of the CPU. A page that a test gave scripts or devices ends with its profile instead.
   */
  leave(page: Page): Promise<void>;
  close(): Promise<void>;
}

export interface OpenOptions {
  key?: string | null;
  /** In a profile that no page was in: the browser has nothing of the app yet. */
  isFirst?: boolean;
  width?: number;
  scheme?: 'light' | 'dark';
}

/** The built app, the service with its workers, a workspace with the default template, and a browser. */
export async function startWebApp(environment: Record<string, string> = {}): Promise<WebApp> {
  // Two files of tests begin at once: one builds, the other finds it built.
  const built = await buildWebApp(projectFolder, pino({ level: 'silent' }), () => {}).done;
  if (built !== 'current' && built !== 'built')
    throw new Error(`The web app is ${built}: npm run build says why.`);
  const server = await startTestServer({ worker: true, environment });
  const workspace = await makeDefaultWorkspace(server);
  const browser = await launchBrowser();
  const profiles: Profiles = { browser, baseUrl: server.baseUrl, used: new Map(), empty: [] };
  return {
    server,
    workspace,
    open: (options = {}) => openPage(profiles, workspace, options),
    leave: (page) => leavePage(profiles, page),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath as string,
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

type WatchedPage = Omit<AppPage, 'goto'>;

interface Profile {
  hasTouch: boolean;
  context: BrowserContext;
  watched: WatchedPage;
}

interface Profiles {
  browser: Browser;
  baseUrl: string;
  used: Map<Page, Profile>;
  /** Without cookies and without anything stored. */
  empty: Profile[];
}

async function openPage(
  profiles: Profiles,
  workspace: DefaultWorkspace,
  { key = workspace.key, isFirst = false, width = 1280, scheme = 'light' }: OpenOptions,
): Promise<AppPage> {
  const { baseUrl } = profiles;
  const { context, watched } = await takeProfile(profiles, { hasTouch: width < 640, isFirst });
  const { page } = watched;
  await page.setViewportSize({ width, height: width < 640 ? 844 : 900 });
  await page.emulateMedia({ colorScheme: scheme });
  if (key !== null) await signIn(context, baseUrl, key);
  return {
    ...watched,
    goto: async (path) => {
      await page.goto(`${baseUrl}/w/${workspace.slug}${path}`);
    },
  };
}

async function takeProfile(
  { browser, used, empty }: Profiles,
  { hasTouch, isFirst }: { hasTouch: boolean; isFirst: boolean },
): Promise<Profile> {
  const at = isFirst ? -1 : empty.findIndex((one) => one.hasTouch === hasTouch);
  const profile = empty.splice(at, at === -1 ? 0 : 1)[0] ?? (await makeProfile(browser, hasTouch));
  used.set(profile.watched.page, profile);
  return profile;
}

async function makeProfile(browser: Browser, hasTouch: boolean): Promise<Profile> {
  const context = await browser.newContext({ hasTouch, reducedMotion: 'reduce', acceptDownloads: true });
  return { hasTouch, context, watched: await watchPage(context) };
}

async function leavePage({ baseUrl, used, empty }: Profiles, page: Page): Promise<void> {
  const profile = used.get(page);
  if (profile === undefined) throw new Error('The page was left before, or another app opened it.');
  used.delete(page);
  const { context, watched } = profile;
  // Another site may have kept something of its own.
  if (new URL(page.url()).origin !== baseUrl) return context.close();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A plain answer of the same origin: the app has ended, and what it stored can be cleared.
  await page.goto(`${baseUrl}/health/live`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.mouse.move(0, 0);
  await context.clearCookies();
  watched.complaints.length = 0;
  empty.push(profile);
}

/** The code of a thread that the page ends while it loads: the browser never tells how that request ended. */
const codeOfThread = /\.worker-[^/]*\.js$/;

/** A page of a profile whose complaints are kept, which axe looks at and which is photographed. */
export async function watchPage(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (['error', 'warning'].includes(message.type()) && !expectedInConsole.test(text)) complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const asked = new Set<Request>();
  page.on('request', (request) => {
    // What the page before asked for is nobody's any more.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) asked.clear();
    if (request.resourceType() !== 'eventsource' && !codeOfThread.test(request.url())) asked.add(request);
  });
  page.on('requestfinished', (request) => void asked.delete(request));
  page.on('requestfailed', (request) => void asked.delete(request));
  return {
    page,
    complaints,
    settled: async () => {
      // Twice in a row: one answer is often the cause of the next question.
      let calm = 0;
      await vi.waitUntil(async () => {
        const waits = await page.locator('[aria-label=Loading]').count();
        calm = asked.size === 0 && waits === 0 ? calm + 1 : 0;
        return calm > 5;
      }, patience);
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
    },
    axe: (look = {}) => runAxe(page, look),
    shoot: async (name) => {
      if (process.env.PAGES_PICTURES !== 'true') return;
      mkdirSync(screenshots, { recursive: true });
      await page.screenshot({ path: join(screenshots, `${name}.png`) });
    },
  };
}

/** Signs the browser's profile in the way the page does: one call, from the app's own origin. */
async function signIn(context: BrowserContext, baseUrl: string, key: string): Promise<void> {
  const answer = await context.request.post(`${baseUrl}/api/sessions`, {
    data: { key },
    headers: { Origin: baseUrl },
  });
  if (answer.status() !== 201) throw new Error(`Sign-in answered ${answer.status()}: ${await answer.text()}`);
}

interface AxeResults {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
}

async function runAxe(page: Page, { within, contrastOnly = false }: AxeLook): Promise<Finding[]> {
  // Half a megabyte of script, which a document keeps.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  const rules = contrastOnly
    ? `{ type: 'rule', values: ['color-contrast'] }`
    : `['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']`;
  const root = within === undefined ? 'document' : JSON.stringify(within);
  const { violations } = (await page.evaluate(
    `axe.run(${root}, { runOnly: ${rules}, resultTypes: ['violations'] })`,
  )) as AxeResults;
  return violations.map(({ id, impact, nodes }) => ({
    rule: id,
    impact,
    nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => `${html.slice(0, 200)}\n${failureSummary}`),
  }));
}
