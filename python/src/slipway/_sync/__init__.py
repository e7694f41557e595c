# Made by `npm run python:generate` from _async/__init__.py. Do not edit.
