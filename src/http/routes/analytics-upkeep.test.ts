import { expect, it } from "vitest";
import { createLargeLog, userAgents } from "#testing/views.ts";
import { ENGINES } from "#testing/databases.ts";
import { saveSettings } from "#projects/projects.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
