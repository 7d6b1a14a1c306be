// Rules for the scripts of the web page, which share one scope: they are checked joined, as the page has them.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: "script", globals: { ...globals.browser, Bokeh: "readonly" } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "consistent-return": "error",
      "eqeqeq": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-unused-vars": ["error", { vars: "all", args: "after-used" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
