import { expect, test } from "vitest";
import { diffExcerpt } from "./demo-report.ts";

const patch = `diff --git a/one.md b/one.md
--- a/one.md
+++ b/one.md
@@ -1,2 +1,2 @@
-Harbor Cloud is here.
+Harbor Platform is here.
@@ -8,1 +8,1 @@
-See [plans](/billing).
+See [plans](/operate/plans).
@@ -12,0 +13,2 @@
+---
+New words.
diff --git a/two.md b/two.md
--- a/two.md
+++ b/two.md
@@ -1,1 +1,1 @@
-The Harbor Cloud console.
+The Harbor Platform console.
`;

test("an excerpt of a diff shows changed links first, then a line per file, and says how many are left out", () => {
  expect(diffExcerpt(patch, false)).toBe(`one.md
- See [plans](/billing).
+ See [plans](/operate/plans).
one.md
- Harbor Cloud is here.
+ Harbor Platform is here.
two.md
- The Harbor Cloud console.
+ The Harbor Platform console.
… and 1 more lines`);
});
