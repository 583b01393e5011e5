"""From game records to models; the only importer of scikit-learn."""
