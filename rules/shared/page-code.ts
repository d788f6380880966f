// Code that runs in a browser page, whatever its folder is called. What V8 does there is no matter of this server's time.
import { isCall, isMember, parentOf } from '../../analysis/module/ast.ts';
import { isCoreModule } from '../../analysis/fix/add-import.ts';
import { isReference } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { hasServerPackage } from '../../knowledge/server-packages.ts';

// Globals that only exist in a browser page.
const PAGE_GLOBALS: readonly string[] = ['document', 'window', 'jQuery', '$'];
// Folders of browser code that the file's role does not know. A server may have folders of these names, so they only count here.
const PAGE_FOLDERS = /(?:^|[\\/])(?:client|ui|components|renderer)[\\/]/;
const COMPONENT_FILE = /\.[jt]sx$/i;
const PAGE_LIBRARIES = /^(?:jquery|vue|react|angular|backbone|d3)\b/i;
const PAGE_MODULES =
  /^(?:react|react-dom(?:\/client)?|preact(?:\/.*)?|vue|svelte|@angular\/(?:core|common|router|forms)|jquery|d3|solid-js|lit|vue-router|pinia|vuex|zustand|redux|mobx|@reduxjs\/toolkit|react-redux|react-router-dom|@tanstack\/(?:react|vue|solid|svelte)-.*|swr|next\/(?:link|image|navigation|router|dynamic)|@mui\/.*|antd|@chakra-ui\/.*)$/;
/** Packages that a program for pages depends on. */
const PAGE_PACKAGES: readonly string[] = ['react-dom', 'vue', 'svelte', '@angular/core', 'preact', 'solid-js', 'lit', 'jquery', 'leaflet'];

const known = new WeakMap<Facts, boolean>();

export function isPageCode(facts: Facts): boolean {
  let is = known.get(facts);
  if (is === undefined) known.set(facts, (is = looksLikePage(facts)));
  return is;
}

function looksLikePage(facts: Facts): boolean {
  const path = pathBelowRoot(facts);
  if (COMPONENT_FILE.test(path) || PAGE_FOLDERS.test(path) || PAGE_LIBRARIES.test(path.replace(/^.*[\\/]/, ''))) return true;
  const manifest = facts.project.manifest;
  if (
    manifest &&
    // A server of Node's own beside the page needs no package.
    ![...facts.module.importedModules()].some(isCoreModule) &&
    PAGE_PACKAGES.some((name) => Object.hasOwn(manifest.dependencies, name)) &&
    !hasServerPackage(manifest.dependencies) &&
    !hasServerPackage(manifest.devDependencies)
  )
    return true;
  for (const name of facts.module.importedModules()) if (PAGE_MODULES.test(name)) return true;
  if (facts.module.program.directives.some(({ value }) => value.value === 'use client')) return true;
  // Checks the text first. Names are only listed for a file that may use the page.
  if (facts.source.text.includes('ipcRenderer') && facts.module.importedModules().has('electron')) return true;
  return PAGE_GLOBALS.some(
    (name) =>
      facts.source.text.includes(name) &&
      facts.bindings.identifiersNamed(name).some((identifier) => {
        if (identifier.type !== 'Identifier' || !isReference(identifier)) return false;
        const parent = parentOf(identifier);
        const isUsed = isMember(parent)
          ? parent.object === identifier
          : (name === '$' || name === 'jQuery') && isCall(parent) && parent.callee === identifier;
        return isUsed && facts.bindings.isGlobal(identifier);
      }),
  );
}

/** The path relative to the project's folder, because a package of a larger repository may be called `ui`. */
export function pathBelowRoot(facts: Facts): string {
  const { file } = facts.source;
  const { root } = facts.project;
  return root && file.startsWith(root) ? file.slice(Math.max(root.lastIndexOf('/'), root.lastIndexOf('\\'))) : file;
}
