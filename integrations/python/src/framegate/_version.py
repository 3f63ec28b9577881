"""The version of this package; the manifest reads it from here."""

__version__ = "0.1.0"
