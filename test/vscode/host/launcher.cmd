@node "%~dp0launcher.mjs" %*
