# Made by `npm run describe` from _async/__init__.py. Do not edit.
