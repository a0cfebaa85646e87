"""The screens: one thin script each, run by app.py; what they share is in `pages._ui`."""
